import type { MetricChangeEntry, RunMetric, Standing } from "../../api/generated/schema";
import { qualityOf, type Registry, toneOf, useRegistry } from "../../api/registry";
import { MetricName } from "../../components/MetricName";
import { Meter } from "../../components/ui/Meter";
import { Status } from "../../components/ui/Status";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatDifference, formatInterval, formatShare, formatValue } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { href, pathTo } from "../../lib/url";

interface Row {
  entry: RunMetric;
  change: MetricChangeEntry | undefined;
}

/** Every metric that scored, those that decide first; the others are folded. */
export function ScoredMetrics({ standing }: { standing: Standing }) {
  const registry = useRegistry();
  const { run, comparison } = standing;
  if (!run) return null;
  const changes = new Map((comparison?.metrics ?? []).map((change) => [change.metric, change]));
  const rows = standing.metrics
    .map((entry) => ({ entry, change: changes.get(entry.metric) }))
    .toSorted((x, y) => weight(registry, x.entry) - weight(registry, y.entry));
  const gating = rows.filter((row) => row.entry.gates);
  const others = rows.filter((row) => !row.entry.gates);
  const columns = columnsOf(registry, run.name);
  const table = (listed: readonly Row[], caption: string) => (
    <Table
      caption={caption}
      file={`${run.name}-metrics`}
      columns={columns}
      rows={listed}
      rowKey={(row) => row.entry.metric}
      tools={caption === DECIDING ? <h2>{t("overview.metricsThatDecide")}</h2> : undefined}
    />
  );
  return (
    <section>
      {gating.length > 0 && table(gating, DECIDING)}
      {others.length > 0 && (
        <details open={gating.length === 0}>
          <summary>
            {t("overview.moreForInformation", {
              others: others.length,
              others2: others.map((row) => registry.label(row.entry.metric)).join(", "),
            })}
          </summary>
          {table(others, t("overview.metricsForInformation"))}
        </details>
      )}
      {standing.unscored > 0 && (
        <p className="muted small">
          {rich("overview.noScoreInThisRun", {
            count: standing.unscored,
            link: <a href={href(pathTo("/runs/:run", { run: run.name }))}>{t("overview.theRunSaysWhy")}</a>,
          })}
        </p>
      )}
    </section>
  );
}

const DECIDING = t("overview.metricsThatDecidePasses");

function weight(registry: Registry, entry: RunMetric): number {
  const metric = registry.metrics.get(entry.metric);
  const isMissed = toneOf(metric, entry.mean, entry.threshold) === "bad";
  return (isMissed ? 0 : 2) + (qualityOf(metric, entry.mean) ?? 1);
}

function columnsOf(registry: Registry, run: string): Column<Row>[] {
  return [
    {
      id: "metric",
      label: t("common.metric"),
      value: ({ entry }) => entry.metric,
      cell: ({ entry }) => <MetricName id={entry.metric} hasId={false} />,
    },
    {
      id: "mean",
      label: t("common.mean"),
      value: ({ entry }) => entry.mean,
      cell: ({ entry }) => {
        const scale = registry.scale(entry.metric);
        return (
          <span className="score-cell now-mean">
            <span className="number">
              <strong>{formatValue(entry.mean, scale)}</strong>
              <span className="muted tiny block">{formatInterval(entry.mean_interval, scale)}</span>
            </span>
            <Meter
              value={entry.mean}
              scale={scale}
              interval={entry.mean_interval}
              threshold={entry.threshold}
              tone={toneOf(registry.metrics.get(entry.metric), entry.mean, entry.threshold)}
              label={t("common.mean")}
            />
          </span>
        );
      },
    },
    {
      id: "passed",
      label: t("common.passed"),
      isNumber: true,
      value: ({ entry }) => entry.pass_rate,
      cell: ({ entry }) =>
        entry.pass_rate === null ? (
          <span className="muted">–</span>
        ) : (
          <a href={href(pathTo("/runs/:run", { run }), { tab: "samples", metric: entry.metric })}>
            {formatShare(entry.pass_rate)}
            <span className="muted tiny block">
              {t("common.passedOfJudged", { passed: entry.passed, judged: entry.judged })}
            </span>
          </a>
        ),
    },
    {
      id: "change",
      label: t("overview.change"),
      value: ({ change }) => change?.difference,
      cell: ({ entry, change }) => {
        if (!change || change.difference === null) return <span className="muted">–</span>;
        const scale = registry.scale(entry.metric);
        return (
          <span>
            <span className="number">{formatDifference(change.difference, scale)}</span>{" "}
            <span className="muted tiny number">
              {change.interval && `[${change.interval.map((end) => formatDifference(end, scale)).join(", ")}]`}
            </span>{" "}
            <Status word={change.verdict} />
          </span>
        );
      },
    },
    {
      id: "scored",
      label: "n",
      isNumber: true,
      value: ({ entry }) => entry.scored,
      cell: ({ entry }) => formatCount(entry.scored),
    },
  ];
}
