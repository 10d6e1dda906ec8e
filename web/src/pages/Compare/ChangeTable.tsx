import { useMemo } from "react";
import type { Comparison, MetricChangeEntry } from "../../api/generated/schema";
import { type Registry, useRegistry } from "../../api/registry";
import { DifferenceBar } from "../../components/DifferenceBar";
import { MetricName } from "../../components/MetricName";
import { Select } from "../../components/ui/Select";
import { Status } from "../../components/ui/Status";
import { type Column, Table } from "../../components/ui/Table";
import { Tooltip } from "../../components/ui/Tooltip";
import { isWhole, type MergedChange, mergeSame, scaleOf, sizeOf, widestOf, widthOf } from "../../lib/changes";
import {
  formatCount,
  formatDifference,
  formatEnds,
  formatInterval,
  formatNumber,
  formatProbability,
  formatValue,
  labelOf,
} from "../../lib/format";
import { IN_ENGLISH, t, word } from "../../lib/messages";
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
  const scored = mergeSame(comparison.metrics.filter((change) => change.difference !== null));
  const unscored = comparison.metrics.filter((change) => change.difference === null);
  const rows = scored
    .filter((change) => !query.verdict || change.verdict === query.verdict)
    .toSorted((x, y) => rank(x) - rank(y) || sizeOf(y, registry) - sizeOf(x, registry));
  return (
    <div className="compare-table">
      <Table
        caption={t("compare.changesFromTo", { a: comparison.a, b: comparison.b })}
        file={`${comparison.a}-to-${comparison.b}`}
        columns={columns}
        rows={rows}
        rowKey={(change) => change.metric}
        sortName="sort"
        pageSize={50}
        tools={
          <div className="filters">
            <Select
              label={t("common.verdict")}
              all={t("common.any")}
              options={ORDER.map((verdict) => ({ value: verdict, label: word(verdict) }))}
              value={query.verdict ?? ""}
              onChange={(verdict) => setQuery({ verdict, "sort-at": null })}
            />
          </div>
        }
      />
      {unscored.length > 0 && (
        <details className="refused">
          <summary>{t("compare.noScoreInBothRuns", { count: unscored.length })}</summary>
          <p className="muted">{unscored.map((change) => registry.label(change.metric)).join(", ")}</p>
        </details>
      )}
    </div>
  );
}

function rank(change: MetricChangeEntry): number {
  return (isWhole(change) ? 0 : 10) + ORDER.indexOf(change.verdict);
}

function columnsOf(registry: Registry, widest: number, a: string, b: string, by: string): Column<MergedChange>[] {
  const worst = (run: string, metric: string) =>
    href(pathTo("/runs/:run", { run }), { tab: "samples", metric: metric.includes(".") ? metric : null });

  return [
    {
      id: "metric",
      label: t("common.metric"),
      value: (change) => change.metric,
      cell: (change) =>
        isWhole(change) ? (
          <strong>{labelOf(change.metric)}</strong>
        ) : (
          <>
            <MetricName id={change.metric} />
            {change.also.length > 0 && (
              <span className="muted tiny block" title={change.also.join(", ")}>
                {t("compare.theSameIn", { metrics: change.also.map(registry.label).join(", ") })}
              </span>
            )}
          </>
        ),
    },
    {
      id: "verdict",
      label: t("common.verdict"),
      value: (change) => change.verdict,
      cell: (change) => (
        <>
          <Status word={change.verdict} />
          {change.rule_changes.map((words) => (
            <span key={words} className="muted tiny block" {...IN_ENGLISH}>
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
      label: t("compare.difference"),
      help: t("compare.bMinusAWithIts95Interval"),
      value: (change) => change.difference,
      cell: (change) => (
        <span className="difference">
          <span className="number">
            <strong>{formatDifference(change.difference, scaleOf(change, registry))}</strong>
            {change.interval && (
              <span className="muted tiny block">
                {formatEnds(change.interval, (end) => formatDifference(end, scaleOf(change, registry)))}
              </span>
            )}
          </span>
          <DifferenceBar
            change={change}
            width={widthOf(change, registry)}
            widest={widest}
            label={t("common.interval95", {
              interval: formatInterval(change.interval, scaleOf(change, registry)),
            })}
          />
        </span>
      ),
    },
    { id: "low", label: t("common.low"), value: (change) => change.interval?.[0] },
    { id: "high", label: t("common.high"), value: (change) => change.interval?.[1] },
    {
      id: "adjusted_p",
      label: t("compare.pCorrected"),
      isNumber: true,
      value: (change) => change.adjusted_p,
      cell: (change) => (
        <Tooltip
          content={
            <>
              <span>{t("compare.test", { test: change.test || t("common.none") })}</span>
              <span>{t("compare.pBeforeCorrection", { p: formatProbability(change.p) })}</span>
              {change.effect !== null && (
                <span>{t("compare.effectSize", { effect: formatNumber(change.effect, 2) })}</span>
              )}
              {change.detectable !== null && (
                <span>
                  {t("compare.smallestChangeThatThisNumberOfPairs", {
                    detectable: formatValue(change.detectable, scaleOf(change, registry)),
                  })}
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
      label: t("common.pairs"),
      isNumber: true,
      value: (change) => change.pairs,
      cell: (change) => (
        <>
          {formatCount(change.pairs)}
          {change.verdict === "too few samples" && change.pairs_needed !== null && (
            <span className="muted tiny block">{t("compare.needed", { pairs_needed: change.pairs_needed })}</span>
          )}
        </>
      ),
    },
    {
      id: "passing",
      label: t("compare.lostGained"),
      help: t("compare.samplesThatNoLongerPassAnd"),
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
