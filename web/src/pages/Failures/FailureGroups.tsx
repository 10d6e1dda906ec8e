import type { FailureGroupEntry } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { useScope } from "../../components/Scope";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { formatCount } from "../../lib/format";
import { href, pathTo } from "../../lib/url";

/** Groups that are in sight; the others are folded. */
const SHOWN = 6;

/** Failed tests by what they fail because of and by tag, with examples. */
export function FailureGroups() {
  const scope = useScope();
  const answer = useAnswer("list_failure_groups", scope, { keeps: true });
  return (
    <section aria-labelledby="groups">
      <div className="section-head">
        <h2 id="groups">What fails together</h2>
        <span className="muted small">by the metrics that fail and the tag, the largest first</span>
      </div>
      <Await answer={answer}>
        {(groups) => (
          <>
            <Groups groups={groups.slice(0, SHOWN)} />
            {groups.length > SHOWN && (
              <details>
                <summary>{formatCount(groups.length - SHOWN)} smaller groups</summary>
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
            <strong className="number">{formatCount(group.count)}</strong>{" "}
            {group.metrics.length ? group.metrics.map(label).join(" + ") : "failed without a deciding metric"}{" "}
            {group.tag && <Badge>{group.tag}</Badge>}
          </h3>
          <ul>
            {group.examples.map((test) => (
              <li key={test.test_id}>
                <a href={href(pathTo("/tests/:id", { id: test.test_id }))} dir="auto">
                  {test.test_name || test.test_id}
                </a>
                <span className="excerpt muted" dir="auto">
                  {test.query}
                </span>
                <span className="excerpt" dir="auto">
                  {test.response}
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
