import { useCallback } from "react";
import type { MetricEntry } from "../../api/generated/schema";
import { POLARITY } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { EmptyState } from "../../components/ui/EmptyState";
import { SearchField } from "../../components/ui/SearchField";
import { Select } from "../../components/ui/Select";
import { type Column, Table } from "../../components/ui/Table";
import { formatLimit, labelOf } from "../../lib/format";
import { href, pathTo, useQuery } from "../../lib/url";

/** Every metric that is installed, as a reference to search. */
export function Metrics() {
  const [query, setQuery] = useQuery();
  const answer = useAnswer("list_metrics", {}, { isFixed: true });
  const search = useCallback((text: string) => setQuery({ text, "sort-at": null }), [setQuery]);
  return (
    <>
      <PageHead title="Metrics" note="What each metric measures, what it needs, and its blind spots." />
      <Await answer={answer}>
        {(metrics) => {
          const option = (value: string) => ({ value, label: labelOf(value) });
          const families = [...new Set(metrics.map((metric) => metric.family))].sort();
          const tags = [...new Set(metrics.flatMap((metric) => metric.tags))].sort();
          const shown = metrics.filter((metric) => fits(metric, query));
          return (
            <Table
              caption="Metrics"
              file="metrics"
              columns={COLUMNS}
              rows={shown}
              rowKey={(metric) => metric.id}
              sortName="sort"
              sortedBy="metric"
              pageSize={50}
              tools={
                <div className="filters">
                  <SearchField label="Find" value={query.text ?? ""} onChange={search} />
                  <Select
                    label="Family"
                    all="All"
                    options={families.map(option)}
                    value={query.family ?? ""}
                    onChange={(family) => setQuery({ family, "sort-at": null })}
                  />
                  <Select
                    label="Tag"
                    all="Any"
                    options={tags.map((tag) => ({ value: tag, label: tag }))}
                    value={query.tag ?? ""}
                    onChange={(tag) => setQuery({ tag, "sort-at": null })}
                  />
                </div>
              }
              empty={
                <EmptyState title="No matching metric">
                  Try other search terms, or write your own metric: one decorated function.
                </EmptyState>
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
  const text = [metric.id, metric.label, metric.summary, ...metric.aliases, ...metric.needs].join(" ").toLowerCase();
  return (
    (!query.family || metric.family === query.family) &&
    (!query.tag || metric.tags.includes(query.tag)) &&
    words.every((word) => text.includes(word))
  );
}

const COLUMNS: readonly Column<MetricEntry>[] = [
  {
    id: "metric",
    label: "Metric",
    value: (metric) => metric.id,
    cell: (metric) => (
      <>
        <a href={href(pathTo("/metrics/:id", { id: metric.id }))}>{metric.label}</a>
        <span className="id block">{metric.id}</span>
      </>
    ),
  },
  {
    id: "summary",
    label: "Measures",
    isWide: true,
    value: (metric) => metric.summary,
    cell: (metric) => metric.summary,
  },
  {
    id: "range",
    label: "Range",
    value: (metric) => `${metric.range[0] ?? ""} to ${metric.range[1] ?? ""}`,
    cell: (metric) => (
      <span className="number" title={POLARITY[metric.polarity].words}>
        {metric.range[0] ?? "−∞"} to {metric.range[1] ?? "∞"} {metric.unit} {POLARITY[metric.polarity].sign}
      </span>
    ),
  },
  {
    id: "threshold",
    label: "Threshold",
    isNumber: true,
    value: (metric) => metric.threshold,
    cell: (metric) =>
      metric.threshold === null ? (
        <span className="muted">none</span>
      ) : (
        formatLimit(metric.threshold, metric.polarity, metric)
      ),
  },
  {
    id: "needs",
    label: "Needs",
    value: (metric) => metric.needs.join(" "),
    cell: (metric) =>
      metric.needs.join(", ") || <span className="muted">{metric.is_composite ? "other scores" : "see its rule"}</span>,
  },
  {
    id: "tags",
    label: "Tags",
    value: (metric) => metric.tags.join(" "),
    cell: (metric) => (
      <span className="badges">
        {metric.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    ),
  },
  { id: "polarity", label: "Polarity", value: (metric) => metric.polarity },
  { id: "unit", label: "Unit", value: (metric) => metric.unit },
];
