import { useCallback, useMemo } from "react";
import type { RunDetail, RunMetric } from "../../api/generated/schema";
import { qualityOf, type Registry, toneOf, useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { MetricName } from "../../components/MetricName";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Histogram } from "../../components/ui/Histogram";
import { Meter } from "../../components/ui/Meter";
import { SearchField } from "../../components/ui/SearchField";
import { Select } from "../../components/ui/Select";
import { type Column, Table } from "../../components/ui/Table";
import { Tooltip } from "../../components/ui/Tooltip";
import {
  formatCount,
  formatEnds,
  formatInterval,
  formatLimit,
  formatShare,
  formatValue,
  labelOf,
  NOTHING,
} from "../../lib/format";
import { IN_ENGLISH, rich, t } from "../../lib/messages";
import { href, pathTo, useQuery } from "../../lib/url";
import { Distributions } from "./Distributions";
import { RunRadar } from "./RunRadar";
import { Unscored } from "./Unscored";

/** Every metric of the run: missed thresholds first, then the weakest. */
export function RunMetrics({ run }: { run: RunDetail }) {
  const answer = useAnswer("list_run_metrics", { name: run.name }, { every: run.status === "running" ? 5000 : 0 });
  return <Await answer={answer}>{(metrics) => <MetricTable run={run} metrics={metrics} />}</Await>;
}

function MetricTable({ run, metrics }: { run: RunDetail; metrics: readonly RunMetric[] }) {
  const registry = useRegistry();
  const [query, setQuery] = useQuery();
  const search = useCallback((text: string) => setQuery({ find: text }), [setQuery]);
  const columns = useMemo(() => columnsOf(run.name, registry), [run.name, registry]);
  const places = [...new Set(metrics.map((entry) => placeOf(registry, entry.metric)))].sort();
  const words = (query.find ?? "").toLowerCase();
  const fitting = metrics.filter(
    (entry) =>
      (!query.family || `${placeOf(registry, entry.metric)}.`.startsWith(`${query.family}.`)) &&
      (!words ||
        `${entry.metric} ${registry.label(entry.metric)} ${registry.summary(entry.metric)}`
          .toLowerCase()
          .includes(words)),
  );
  const scored = fitting.filter((entry) => entry.mean !== null);
  const gating = scored.filter((entry) => entry.gates);
  const deciding = gating.length ? gating : scored;
  const isOf = (entry: RunMetric, family: string) => placeOf(registry, entry.metric).split(".")[0] === family;
  const families = [...new Set(places.map((place) => place.split(".")[0]!))];
  const options = families.flatMap((family) => [
    { value: family, label: labelOf(family) },
    ...places
      .filter((place) => place.startsWith(`${family}.`))
      .map((place) => ({ value: place, label: `${labelOf(family)} · ${labelOf(place)}` })),
  ]);
  return (
    <div className="stack">
      <RunRadar run={run.name} metrics={fitting} registry={registry} />
      <Table
        caption={t("run.metricsOf", { name: run.name })}
        file={`${run.name}-metrics`}
        columns={columns}
        rows={deciding.toSorted((x, y) => weight(registry, x) - weight(registry, y))}
        rowKey={(entry) => entry.metric}
        sortName="sort"
        pageSize={50}
        tools={
          <div className="filters">
            <SearchField label={t("common.find")} value={query.find ?? ""} onChange={search} />
            <Select
              label={t("common.family")}
              all={t("common.all")}
              options={options}
              value={query.family ?? ""}
              onChange={(family) => setQuery({ family, "sort-at": null })}
            />
          </div>
        }
        empty={
          <EmptyState title={run.tests ? t("run.noMetricWithAScore") : t("run.noSampleIsScoredYet")}>
            {words || query.family
              ? t("run.clearTheFiltersToSeeAll")
              : run.tests
                ? t("run.theSamplesLackWhatTheChosen")
                : t("run.theMetricsAppearHereAsThe")}
          </EmptyState>
        }
      />
      {deciding.length < scored.length && (
        <div>
          {families
            .map((family) => ({
              family,
              rows: scored.filter((entry) => !deciding.includes(entry) && isOf(entry, family)),
            }))
            .filter(({ rows }) => rows.length > 0)
            .map(({ family, rows }) => (
              <details key={family} className="family-fold" open={Boolean(words || query.family)}>
                <summary>
                  {rich("run.forInformation", {
                    strong: <strong>{labelOf(family)}</strong>,
                    rows: rows.map((row) => registry.label(row.metric)).join(", "),
                  })}
                </summary>
                <Table
                  caption={t("run.metricsOfForInformation", { family: labelOf(family), name: run.name })}
                  file={`${run.name}-${family}`}
                  columns={columns}
                  rows={rows.toSorted((x, y) => weight(registry, x) - weight(registry, y))}
                  rowKey={(entry) => entry.metric}
                  sortName="sort"
                />
              </details>
            ))}
        </div>
      )}
      <Distributions run={run.name} metrics={scored} registry={registry} />
      {run.tests > 0 && <Unscored metrics={fitting.filter((entry) => entry.mean === null)} />}
    </div>
  );
}

/** Missed thresholds first, then the weakest; what decides nothing comes last. */
function weight(registry: Registry, entry: RunMetric): number {
  const metric = registry.metrics.get(entry.metric);
  if (!entry.gates) return 4 + (qualityOf(metric, entry.mean) ?? 1);
  const isMissed = toneOf(metric, entry.mean, entry.threshold) === "bad";
  return (isMissed ? 0 : 2) + (qualityOf(metric, entry.mean) ?? 1);
}

function placeOf(registry: Registry, id: string): string {
  const metric = registry.metrics.get(id);
  return metric ? [metric.family, metric.group].filter(Boolean).join(".") : id.split(".")[0]!;
}

function columnsOf(run: string, registry: Registry): Column<RunMetric>[] {
  const metricOf = (entry: RunMetric) => registry.metrics.get(entry.metric);
  return [
    {
      id: "metric",
      label: t("common.metric"),
      value: (entry) => entry.metric,
      cell: (entry) => (
        <>
          <MetricName id={entry.metric} />
          {!entry.gates && <span className="muted tiny block">{t("run.informational")}</span>}
        </>
      ),
    },
    {
      id: "quality",
      label: t("common.mean"),
      help: t("run.onTheMetricSOwnScale"),
      value: (entry) => qualityOf(metricOf(entry), entry.mean),
      cell: (entry) => {
        const scale = registry.scale(entry.metric);
        return (
          <span className="mean-cell">
            <strong className="number">{formatValue(entry.mean, scale)}</strong>
            <span className="muted tiny number">{formatInterval(entry.mean_interval, scale)}</span>
            <Meter
              value={entry.mean}
              scale={scale}
              interval={entry.mean_interval}
              threshold={entry.threshold}
              tone={toneOf(metricOf(entry), entry.mean, entry.threshold)}
              label={t("common.mean")}
            />
          </span>
        );
      },
    },
    { id: "mean", label: t("common.mean"), value: (entry) => entry.mean },
    { id: "low", label: t("common.low"), value: (entry) => entry.mean_interval?.[0] },
    { id: "high", label: t("common.high"), value: (entry) => entry.mean_interval?.[1] },
    {
      id: "threshold",
      label: t("common.threshold"),
      isNumber: true,
      value: (entry) => entry.threshold,
      cell: (entry) =>
        entry.threshold === null ? (
          <span className="muted">{entry.pass_rate === null ? t("common.none") : t("run.several")}</span>
        ) : (
          formatLimit(entry.threshold, metricOf(entry)?.polarity ?? "higher", registry.scale(entry.metric))
        ),
    },
    {
      id: "pass_rate",
      label: t("common.passed"),
      isNumber: true,
      value: (entry) => entry.pass_rate,
      cell: (entry) =>
        entry.pass_rate === null ? (
          <span className="muted">–</span>
        ) : (
          <span
            title={
              entry.pass_rate_interval
                ? t("common.interval95", { interval: formatEnds(entry.pass_rate_interval, formatShare) })
                : undefined
            }
          >
            {formatShare(entry.pass_rate)}
            <span className="muted tiny block">
              {t("common.passedOfJudged", { passed: entry.passed, judged: entry.judged })}
            </span>
          </span>
        ),
    },
    {
      id: "distribution",
      label: t("run.distribution"),
      help: t("run.samplesByQualityWorstOnThe"),
      cell: (entry) =>
        entry.distribution.length ? (
          <Histogram bins={entry.distribution} />
        ) : entry.scored === 0 ? (
          NOTHING
        ) : (
          <span className="muted tiny number">
            {t("number.range", {
              low: formatValue(entry.minimum, registry.scale(entry.metric)),
              high: formatValue(entry.maximum, registry.scale(entry.metric)),
            })}
          </span>
        ),
    },
    {
      id: "scored",
      label: t("common.scored"),
      isNumber: true,
      value: (entry) => entry.scored,
      cell: (entry) => <Counts entry={entry} />,
    },
    { id: "bins", label: t("run.samplesByQuality"), value: (entry) => entry.distribution.join(" ") },
    { id: "missing", label: t("run.missing"), value: (entry) => entry.missing },
    { id: "imputed", label: t("common.imputed"), value: (entry) => entry.imputed },
    { id: "errors", label: t("common.errors"), value: (entry) => entry.errors },
    {
      id: "worst",
      label: t("common.samples"),
      cell: (entry) => (
        <a href={href(pathTo("/runs/:run", { run }), { tab: "samples", metric: entry.metric })}>
          {t("run.worstFirst")}
        </a>
      ),
    },
  ];
}

function Counts({ entry }: { entry: RunMetric }) {
  const rest = [
    entry.missing && t("run.missingCount", { missing: entry.missing }),
    entry.imputed && t("run.imputed", { imputed: entry.imputed }),
    entry.errors && t("run.errors", { errors: entry.errors }),
  ].filter(Boolean);
  return (
    <>
      {formatCount(entry.scored)}
      {rest.length > 0 && (
        <span className="tiny muted block">
          <Tooltip
            content={Object.entries(entry.reasons).map(([reason, count]) => (
              <span key={reason}>
                {formatCount(count)} × <span {...IN_ENGLISH}>{reason}</span>
              </span>
            ))}
          >
            {rest.join(", ")}
          </Tooltip>
        </span>
      )}
    </>
  );
}
