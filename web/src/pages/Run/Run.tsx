import type { ReactNode } from "react";
import { addressOf } from "../../api/client";
import type { RunDetail } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useReport } from "../../api/source";
import { useAnswer } from "../../api/use-answer";
import { CauseBars } from "../../components/CauseBars";
import { Figure } from "../../components/Figure";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { Progress } from "../../components/ui/Progress";
import { Status } from "../../components/ui/Status";
import { Tabs } from "../../components/ui/Tabs";
import { formatCount, formatEnds, formatMoment, formatScore, formatShare } from "../../lib/format";
import { IN_ENGLISH, rich, t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";
import { verdictOf } from "../../lib/verdict";
import type { PageProps } from "../../routes";
import { EditRun } from "./EditRun";
import { FlakyQuestions } from "./FlakyQuestions";
import { RemoveRun } from "./RemoveRun";
import { hasAbout, RunAbout, unreadOf } from "./RunAbout";
import { RunGates } from "./RunGates";
import { RunGroups } from "./RunGroups";
import { RunMetrics } from "./RunMetrics";
import { RunRepeats } from "./RunRepeats";
import { RunRetries } from "./RunRetries";
import { RunSamples } from "./RunSamples";
import "./run.css";

/** One run: what it came to, every metric, its groups, and its worst samples first. */
export function Run({ params, head }: PageProps & { /** What stands below the title. */ head?: ReactNode }) {
  const name = params.run ?? "";
  const run = useAnswer("get_run", { name }, { every: (found) => (found?.status === "running" ? 2000 : 0) });
  return (
    <Await answer={run} title={name}>
      {(found) => <RunBoard run={found} onChanged={run.reload} head={head} />}
    </Await>
  );
}

function RunBoard({ run, onChanged, head }: { run: RunDetail; onChanged: () => void; head: ReactNode }) {
  const [query, setQuery] = useQuery();
  const tab = query.tab ?? "metrics";
  const report = useReport();
  const { label } = useRegistry();
  return (
    <>
      <PageHead
        title={run.name}
        note={
          <>
            {run.source && <span dir="auto">{run.source}</span>}
            {typeof run.settings.target === "string" && (
              <> {rich("run.answeredBy", { part: <span dir="auto">{run.settings.target}</span> })}</>
            )}
            {run.source && run.created && " · "}
            {run.created && t("run.begun", { created: formatMoment(run.created) })}
            {run.finished && t("run.finished", { finished: formatMoment(run.finished) })}
          </>
        }
      >
        {!report && <Status word={run.status} />}
        {run.is_baseline && <Badge tone="accent">{t("common.baseline")}</Badge>}
        <span className="badges">
          {run.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
        {!report && (
          <span className="actions push">
            <a className="button" href={href("/compare", { b: run.name })}>
              {t("common.compare")}
            </a>
            <Downloads run={run} />
            <EditRun run={run} onChanged={onChanged} />
            <RemoveRun name={run.name} />
          </span>
        )}
      </PageHead>
      {run.note && (
        <p className="run-note" dir="auto">
          {run.note}
        </p>
      )}
      {head ?? <p className="verdict">{verdictOf(run)}</p>}
      <RunFigures run={run} />
      {tab === "metrics" && (
        <>
          <CauseBars run={run.name} causes={run.causes} total={run.failed} label={label} />
          <RunBasis run={run} />
        </>
      )}
      <RunRetries retries={run.retries} />
      <RunRepeats repeats={run.repeats} />
      <RunGates gates={run.gates} />
      <Tabs
        label={t("run.viewsOfTheRun")}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "metrics" ? null : next }, false)}
        tabs={[
          { id: "metrics", label: t("common.metricsWithCount", { metrics: run.metrics.length }) },
          { id: "samples", label: t("run.samples", { tests: run.tests }) },
          ...(run.repeats ? [{ id: "flaky", label: t("run.flakyQuestions") }] : []),
          { id: "groups", label: t("common.groups") },
          ...(hasAbout(run)
            ? [
                {
                  id: "about",
                  label: run.unread ? t("run.aboutWithoutScores", { unread: run.unread }) : t("common.about"),
                },
              ]
            : []),
        ]}
      >
        {tab === "samples" ? (
          <RunSamples run={run} />
        ) : tab === "flaky" ? (
          <FlakyQuestions run={run} />
        ) : tab === "groups" ? (
          <RunGroups run={run} />
        ) : tab === "about" ? (
          <RunAbout run={run} />
        ) : (
          <RunMetrics run={run} />
        )}
      </Tabs>
    </>
  );
}

function RunFigures({ run }: { run: RunDetail }) {
  const interval = (ends: [number, number] | null, format: (end: number) => string) =>
    ends ? t("common.interval95", { interval: formatEnds(ends, format) }) : "";
  return (
    <section className="figures run-figures" aria-label={t("run.resultsOfTheRun")}>
      <Figure
        label={t("common.passRate")}
        value={formatShare(run.pass_rate)}
        note={
          run.judged
            ? [
                t("run.passFailUnsure", {
                  passed: run.passed,
                  failed: run.failed,
                  unsure: run.unsure,
                }),
                t("run.ofJudged", { judged: run.judged, tests: run.tests }),
                interval(run.pass_rate_interval, formatShare),
              ].join("; ")
            : run.status === "running"
              ? t("run.knownWhenTheRunIsFinished")
              : t("run.noSampleWasJudgedNoMetric")
        }
      />
      <Figure
        label={t("common.meanQuality")}
        value={
          <>
            {formatScore(run.overall === null ? null : 100 * run.overall)}
            {run.overall !== null && <small> / {formatCount(100)}</small>}
          </>
        }
        note={
          run.overall !== null
            ? [t("common.meanQualityNote"), interval(run.overall_interval, (end) => formatScore(100 * end))]
                .filter(Boolean)
                .join("; ")
            : run.status === "running"
              ? t("run.knownWhenTheRunIsFinished")
              : run.tests === 0
                ? t("run.noSampleCouldBeRead")
                : t("run.noMetricThatDecidesGaveA")
        }
      />
      <Figure
        label={t("common.samples")}
        value={formatCount(run.tests)}
        note={
          run.status === "running" ? (
            <Progress done={run.tests} total={run.total} label={t("run.progress")} />
          ) : (
            unreadOf(run)
          )
        }
      />
    </section>
  );
}

/** Metrics that decide are named up to this many; more are folded. */
const NAMED = 12;

/** What the figures rest on: which metrics decide, and why they were chosen. */
function RunBasis({ run }: { run: RunDetail }) {
  const rest = run.metrics.length - run.gating.length;
  const gating = run.gating.join(", ");
  const informational = rest > 0 ? t("run.andInformational", { rest }) : ". ";
  if (run.gating.length > NAMED)
    return (
      <details className="muted small">
        <summary>
          {t("run.decidedByMetrics", { count: run.gating.length })}
          {informational}
          {run.selection && <span {...IN_ENGLISH}>{run.selection}.</span>}
        </summary>
        <p dir="auto">{gating}</p>
      </details>
    );
  return (
    <p className="muted small">
      {run.gating.length > 0 && `${t("run.passesAndOverallBy", { gating })}${informational}`}
      {run.selection && <span {...IN_ENGLISH}>{run.selection}.</span>}
    </p>
  );
}

function Downloads({ run }: { run: RunDetail }) {
  const formats = run.status === "finished" ? (["csv", "json", "jsonl"] as const) : (["run"] as const);
  return (
    <details className="menu-list">
      <summary className="button">{t("run.download")}</summary>
      <ul>
        {formats.map((format) => (
          <li key={format}>
            <a href={addressOf("export_run", { name: run.name, format })} download>
              {format === "run" ? t("run.resultsSoFar") : t("run.allResultsAs", { format: format.toUpperCase() })}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
