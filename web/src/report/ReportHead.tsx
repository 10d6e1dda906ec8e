import { useRegistry } from "../api/registry";
import { LongText } from "../components/ui/LongText";
import { formatEnds, formatMoment, formatShare } from "../lib/format";
import { IN_ENGLISH, rich, t } from "../lib/messages";
import { href, pathTo } from "../lib/url";
import { verdictOf } from "../lib/verdict";
import { groupName, type LookAt, nextStep, useFirstScreen } from "./first";

/** What a report says first: the verdict, what made it, the worst group, the next step. */
export function ReportHead({ isShort }: { isShort: boolean }) {
  const { version, run, first, lookAt } = useFirstScreen();
  const { label } = useRegistry();
  const group = first.worst_group;
  return (
    <section className="report-first" aria-label={t("report.inShort")} data-short={isShort || undefined}>
      <p className="report-outcome">{verdictOf(run)}</p>
      <dl className="facts">
        {run.created && <Fact name={t("report.date")}>{formatMoment(run.created)}</Fact>}
        {first.command && (
          <Fact name={t("report.command")}>
            <code dir="ltr">{first.command}</code>
          </Fact>
        )}
        <Fact name={t("report.version")}>Assay {version}</Fact>
        <Fact name={t("report.profile")}>{first.profile || t("report.noneMetricsChosenByName")}</Fact>
        <Fact name={t("report.worstGroup")}>
          {group
            ? rich("report.ofPass", {
                link: (
                  <a href={href("/", { tab: "samples", [group.kind]: group.name })} dir="auto">
                    {groupName(group)}
                  </a>
                ),
                passed: formatShare(group.passed / group.judged),
                judged: group.judged,
                value:
                  group.interval && t("report.andInterval95", { interval: formatEnds(group.interval, formatShare) }),
              })
            : t("report.noGroupOfFiveOrMore")}
        </Fact>
        <Fact name={t("report.nextStep")}>{nextStep(first.next, label)}</Fact>
      </dl>
      {lookAt.length > 0 && (
        <>
          <h2>{t("common.toLookAt")}</h2>
          <ol className="look-at">
            {lookAt.map((entry) => (
              <Sample key={entry.test.test_id} entry={entry} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Sample({ entry: { test, reasons } }: { entry: LookAt }) {
  const { label } = useRegistry();
  const evidence =
    reasons
      .map(({ result }) => result.evidence.filter((span) => span.field === "response"))
      .find((spans) => spans.length > 0) ?? [];
  const { id, query, response } = test.sample;
  return (
    <li>
      <p>
        <a href={href(pathTo("/tests/:id", { id: test.test_id }), { metric: reasons[0]?.metric })} dir="auto">
          {id}
        </a>{" "}
        {query && (
          <span className="muted" dir="auto">
            {query}
          </span>
        )}
      </p>
      {response && <LongText text={response} evidence={evidence} />}
      {reasons.map(({ metric, result }) => (
        <p key={metric} className="small">
          <strong>{label(metric)}</strong>: <span {...IN_ENGLISH}>{result.explanation}</span>
        </p>
      ))}
    </li>
  );
}
