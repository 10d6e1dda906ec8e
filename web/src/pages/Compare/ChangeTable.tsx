import { useMemo } from "react";
import type { Comparison, MetricChangeEntry } from "../../api/generated/schema";
import { type Registry, useRegistry } from "../../api/registry";
import { DifferenceBar } from "../../components/DifferenceBar";
import { MetricName } from "../../components/MetricName";
import { Select } from "../../components/ui/Select";
import { Status } from "../../components/ui/Status";
import { type Column, Table } from "../../components/ui/Table";
import { Tooltip } from "../../components/ui/Tooltip";
import { isWhole, scaleOf, sizeOf, widestOf, widthOf } from "../../lib/changes";
import {
  formatCount,
  formatDifference,
  formatInterval,
  formatNumber,
  formatProbability,
  formatValue,
  labelOf,
} from "../../lib/format";
import { href, pathTo, useQuery } from "../../lib/url";

const ORDER = ["worse", "better", "lower", "higher", "too few samples", "no real change"];

/** Every metric in both runs: difference, interval, corrected significance, and what it comes to. */
export function ChangeTable({ comparison }: { comparison: Comparison }) {
  const registry = useRegistry();
  const [query, setQuery] = useQuery();
  const widest = widestOf(comparison.metrics, registry);
  const columns = useMemo(
    () => columnsOf(registry, widest, comparison.a, comparison.b, comparison.paired_by),
    [registry, widest, comparison],
  );
  const scored = comparison.metrics.filter((change) => change.difference !== null);
  const unscored = comparison.metrics.filter((change) => change.difference === null);
  const rows = scored
    .filter((change) => !query.verdict || change.verdict === query.verdict)
    .toSorted((x, y) => rank(x) - rank(y) || sizeOf(y, registry) - sizeOf(x, registry));
  return (
    <div className="compare-table">
      <Table
        caption={`Changes from ${comparison.a} to ${comparison.b}`}
        file={`${comparison.a}-to-${comparison.b}`}
        columns={columns}
        rows={rows}
        rowKey={(change) => change.metric}
        sortName="sort"
        pageSize={50}
        tools={
          <div className="filters">
            <Select
              label="Verdict"
              all="Any"
              options={ORDER.map((verdict) => ({ value: verdict, label: verdict }))}
              value={query.verdict ?? ""}
              onChange={(verdict) => setQuery({ verdict, "sort-at": null })}
            />
          </div>
        }
      />
      {unscored.length > 0 && (
        <details className="refused">
          <summary>
            {formatCount(unscored.length)} {unscored.length === 1 ? "metric has" : "metrics have"} no score in both runs
          </summary>
          <p className="muted">{unscored.map((change) => registry.label(change.metric)).join(", ")}</p>
        </details>
      )}
    </div>
  );
}

function rank(change: MetricChangeEntry): number {
  return (isWhole(change) ? 0 : 10) + ORDER.indexOf(change.verdict);
}

function columnsOf(registry: Registry, widest: number, a: string, b: string, by: string): Column<MetricChangeEntry>[] {
  const worst = (run: string, metric: string) =>
    href(pathTo("/runs/:run", { run }), { tab: "samples", metric: metric.includes(".") ? metric : null });

  return [
    {
      id: "metric",
      label: "Metric",
      value: (change) => change.metric,
      cell: (change) =>
        isWhole(change) ? <strong>{labelOf(change.metric)}</strong> : <MetricName id={change.metric} />,
    },
    {
      id: "verdict",
      label: "Verdict",
      value: (change) => change.verdict,
      cell: (change) => (
        <>
          <Status word={change.verdict} />
          {change.rule_changes.map((words) => (
            <span key={words} className="muted tiny block" dir="auto">
              {words}
            </span>
          ))}
        </>
      ),
    },
    {
      id: "mean_a",
      label: "A",
      isNumber: true,
      value: (change) => change.mean_a,
      cell: (change) => <a href={worst(a, change.metric)}>{formatValue(change.mean_a, scaleOf(change, registry))}</a>,
    },
    {
      id: "mean_b",
      label: "B",
      isNumber: true,
      value: (change) => change.mean_b,
      cell: (change) => <a href={worst(b, change.metric)}>{formatValue(change.mean_b, scaleOf(change, registry))}</a>,
    },
    {
      id: "difference",
      label: "Difference",
      help: "B minus A with its 95% interval; bars are scaled to each metric's range",
      value: (change) => change.difference,
      cell: (change) => (
        <span className="difference">
          <span className="number">
            <strong>{formatDifference(change.difference, scaleOf(change, registry))}</strong>
            {change.interval && (
              <span className="muted tiny block">
                {change.interval.map((end) => formatDifference(end, scaleOf(change, registry))).join(" to ")}
              </span>
            )}
          </span>
          <DifferenceBar
            change={change}
            width={widthOf(change, registry)}
            widest={widest}
            label={`95% interval ${formatInterval(change.interval, scaleOf(change, registry))}`}
          />
        </span>
      ),
    },
    { id: "low", label: "Low", value: (change) => change.interval?.[0] },
    { id: "high", label: "High", value: (change) => change.interval?.[1] },
    {
      id: "adjusted_p",
      label: "p (corrected)",
      isNumber: true,
      value: (change) => change.adjusted_p,
      cell: (change) => (
        <Tooltip
          content={
            <>
              <span>Test: {change.test || "none"}</span>
              <span>p before correction: {formatProbability(change.p)}</span>
              {change.effect !== null && <span>Effect size: {formatNumber(change.effect, 2)}</span>}
              {change.detectable !== null && (
                <span>
                  Smallest change that this number of pairs can detect:{" "}
                  {formatValue(change.detectable, scaleOf(change, registry))}
                </span>
              )}
            </>
          }
        >
          {formatProbability(change.adjusted_p)}
        </Tooltip>
      ),
    },
    {
      id: "pairs",
      label: "Pairs",
      isNumber: true,
      value: (change) => change.pairs,
      cell: (change) => (
        <>
          {formatCount(change.pairs)}
          {change.verdict === "too few samples" && change.pairs_needed !== null && (
            <span className="muted tiny block">{formatCount(change.pairs_needed)} needed</span>
          )}
        </>
      ),
    },
    {
      id: "passing",
      label: "Lost / gained",
      help: "Samples that no longer pass, and that pass now",
      isNumber: true,
      cell: (change) =>
        change.lost || change.gained ? (
          <a href={href("/compare", { a, b, by, tab: "questions", only: "changed" })}>
            {formatCount(change.lost)} / {formatCount(change.gained)}
          </a>
        ) : (
          "–"
        ),
    },
  ];
}
