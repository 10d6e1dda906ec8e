import type { FailureGroupEntry, SimilarTests } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { useScope } from "../../components/Scope";
import { TestExcerpt } from "../../components/TestExcerpt";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { t } from "../../lib/messages";

/** Groups that are in sight; the others are folded. */
const SHOWN = 6;
/** Kinds of text in a group that are in sight. */
const KINDS = 3;

/** Failed tests by what they fail because of, by tag and by how alike their texts are, with examples. */
export function FailureGroups() {
  const scope = useScope();
  const answer = useAnswer("list_failure_groups", scope, { keeps: true });
  return (
    <section aria-labelledby="groups">
      <div className="section-head">
        <h2 id="groups">{t("failures.whatFailsTogether")}</h2>
        <span className="muted small">{t("failures.byTheMetricsThatFailAnd")}</span>
      </div>
      <Await answer={answer}>
        {(groups) => (
          <>
            <Groups groups={groups.slice(0, SHOWN)} />
            {groups.length > SHOWN && (
              <details>
                <summary>{t("failures.smallerGroups", { groups: groups.length - SHOWN })}</summary>
                <Groups groups={groups.slice(SHOWN)} />
              </details>
            )}
          </>
        )}
      </Await>
    </section>
  );
}

function Groups({ groups }: { groups: readonly FailureGroupEntry[] }) {
  const { label } = useRegistry();
  return (
    <ul className="failure-groups">
      {groups.map((group) => (
        <li key={`${group.metrics.join()} ${group.tag}`}>
          <h3>
            <span>
              {t("failures.testsFail", { count: group.count })} {group.tag && <Badge>{group.tag}</Badge>}
            </span>
            <span className="badges">
              {group.metrics.length === 0 && t("failures.failedWithoutADecidingMetric")}
              {group.metrics.map((id) => (
                <Badge key={id} tone="bad">
                  {label(id)}
                </Badge>
              ))}
            </span>
          </h3>
          {group.kinds.slice(0, KINDS).map((kind) => (
            <Kind key={kind.examples[0]?.test_id} kind={kind} />
          ))}
          {group.kinds.length > KINDS && (
            <details>
              <summary>{t("failures.moreKinds", { count: group.kinds.length - KINDS })}</summary>
              {group.kinds.slice(KINDS).map((kind) => (
                <Kind key={kind.examples[0]?.test_id} kind={kind} />
              ))}
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Tests whose texts are alike; what is the same word for word is shown once. */
function Kind({ kind }: { kind: SimilarTests }) {
  const shown = kind.examples.filter(
    (test, place) =>
      kind.examples.findIndex((other) => other.query === test.query && other.response === test.response) === place,
  );
  return (
    <ul>
      {kind.count > 1 && <li className="muted tiny">{t("failures.alike", { count: kind.count })}</li>}
      {shown.map((test) => (
        <li key={test.test_id}>
          <TestExcerpt test={test} />
        </li>
      ))}
    </ul>
  );
}
