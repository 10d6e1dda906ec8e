import { useCallback } from "react";
import type { MetricEntry } from "../../api/generated/schema";
import { POLARITY } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { Foldable } from "../../components/Foldable";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { EmptyState } from "../../components/ui/EmptyState";
import { SearchField } from "../../components/ui/SearchField";
import { Select } from "../../components/ui/Select";
import { type Column, Table } from "../../components/ui/Table";
import { formatLimit, formatRange, labelOf } from "../../lib/format";
import { t } from "../../lib/messages";
import { labelOfMetric, languageOf, summaryOf } from "../../lib/metric-words";
import { href, pathTo, useQuery } from "../../lib/url";

/** Every metric that is installed, as a reference to search. */
export function Metrics() {
  const [query, setQuery] = useQuery();
  const answer = useAnswer("list_metrics", {}, { isFixed: true });
  const search = useCallback((text: string) => setQuery({ text, "sort-at": null }), [setQuery]);
  return (
    <>
      <PageHead title={t("page.metrics")} note={t("metrics.whatEachMetricMeasuresWhatIt")} />
      <Await answer={answer}>
        {(metrics) => {
          const option = (value: string) => ({ value, label: labelOf(value) });
          const families = [...new Set(metrics.map((metric) => metric.family))].sort();
          const tags = [...new Set(metrics.flatMap((metric) => metric.tags))].sort();
          const shown = metrics.filter((metric) => fits(metric, query));
          return (
            <Table
              caption={t("common.metrics")}
              file="metrics"
              columns={COLUMNS}
              rows={shown}
              rowKey={(metric) => metric.id}
              sortName="sort"
              sortedBy="metric"
              pageSize={50}
              tools={
                <div className="filters">
                  <SearchField label={t("common.find")} value={query.text ?? ""} onChange={search} />
                  <Select
                    label={t("common.family")}
                    all={t("common.all")}
                    options={families.map(option)}
                    value={query.family ?? ""}
                    onChange={(family) => setQuery({ family, "sort-at": null })}
                  />
                  <Select
                    label={t("common.tag")}
                    all={t("common.any")}
                    options={tags.map((tag) => ({ value: tag, label: tag }))}
                    value={query.tag ?? ""}
                    onChange={(tag) => setQuery({ tag, "sort-at": null })}
                  />
                </div>
              }
              empty={
                <EmptyState title={t("metrics.noMatchingMetric")}>{t("metrics.tryOtherSearchTermsOrWrite")}</EmptyState>
              }
            />
          );
        }}
      </Await>
    </>
  );
}

function fits(metric: MetricEntry, query: Readonly<Record<string, string>>): boolean {
  const words = (query.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const { id, label, summary, aliases, needs } = metric;
  const own = [labelOfMetric(metric), summaryOf(metric)];
  const text = [id, label, summary, ...own, ...aliases, ...needs].join(" ").toLowerCase();
  return (
    (!query.family || metric.family === query.family) &&
    (!query.tag || metric.tags.includes(query.tag)) &&
    words.every((word) => text.includes(word))
  );
}

const COLUMNS: readonly Column<MetricEntry>[] = [
  {
    id: "metric",
    label: t("common.metric"),
    value: (metric) => metric.id,
    cell: (metric) => (
      <>
        <a href={href(pathTo("/metrics/:id", { id: metric.id }))}>{labelOfMetric(metric)}</a>
        <span className="id block">
          <Foldable text={metric.id} />
        </span>
      </>
    ),
  },
  {
    id: "summary",
    label: t("metrics.measures"),
    isWide: true,
    value: summaryOf,
    cell: (metric) => <span {...languageOf(metric.id)}>{summaryOf(metric)}</span>,
  },
  {
    id: "range",
    label: t("metrics.range"),
    value: (metric) => `${metric.range[0] ?? ""} to ${metric.range[1] ?? ""}`,
    cell: (metric) => (
      <span className="number" title={POLARITY[metric.polarity].words}>
        {formatRange(metric)} {POLARITY[metric.polarity].sign}
      </span>
    ),
  },
  {
    id: "threshold",
    label: t("common.threshold"),
    isNumber: true,
    value: (metric) => metric.threshold,
    cell: (metric) =>
      metric.threshold === null ? (
        <span className="muted">{t("common.none")}</span>
      ) : (
        formatLimit(metric.threshold, metric.polarity, metric)
      ),
  },
  {
    id: "needs",
    label: t("metrics.needs"),
    value: (metric) => metric.needs.join(" "),
    cell: (metric) =>
      metric.needs.join(", ") || (
        <span className="muted">{metric.is_composite ? t("common.otherScores") : t("metrics.seeItsRule")}</span>
      ),
  },
  {
    id: "tags",
    label: t("common.tags"),
    value: (metric) => metric.tags.join(" "),
    cell: (metric) => (
      <span className="badges">
        {metric.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    ),
  },
  { id: "polarity", label: t("metrics.polarity"), value: (metric) => metric.polarity },
  { id: "unit", label: t("metrics.unit"), value: (metric) => metric.unit },
];
