import type { MetricPage } from "../../api/generated/schema";
import { POLARITY } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { Chart } from "../../components/ui/Chart";
import { Markdown } from "../../components/ui/Markdown";
import { TrendChart } from "../../components/ui/TrendChart";
import { formatLimit, formatValue, labelOf } from "../../lib/format";
import { href } from "../../lib/url";
import type { PageProps } from "../../routes";
import { Examples } from "./Examples";
import { Measured } from "./Measured";
import "./metrics.css";

/** One metric: its rule, its blind spots, its history and worked examples. */
export function Metric({ params }: PageProps) {
  const answer = useAnswer("get_metric", { metric_id: params.id ?? "" }, { isFixed: true });
  return (
    <Await answer={answer} title={labelOf(params.id ?? "")}>
      {(metric) => <MetricBoard metric={metric} />}
    </Await>
  );
}

function MetricBoard({ metric }: { metric: MetricPage }) {
  const [, ...rest] = metric.documentation.split("\n");
  return (
    <>
      <PageHead title={metric.label} note={<span className="id">{metric.id}</span>}>
        <span className="badges">
          {metric.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          {metric.is_composite && <Badge tone="accent">made of other scores</Badge>}
        </span>
        <a className="push small" href={href("/metrics", { family: metric.family })}>
          All of {labelOf(metric.family)}
        </a>
      </PageHead>
      <div className="metric-page">
        <div className="stack">
          <section>
            <p className="lead">{metric.summary}</p>
            <Markdown text={rest.join("\n")} />
          </section>
          <Measured metric={metric} />
          <Trend metric={metric} />
          <Examples metric={metric} />
        </div>
        <Declared metric={metric} />
      </div>
    </>
  );
}

function Declared({ metric }: { metric: MetricPage }) {
  const rows: [string, string][] = [
    ["Range", `${metric.range[0] ?? "−∞"} to ${metric.range[1] ?? "∞"} ${metric.unit}`],
    ["Polarity", POLARITY[metric.polarity].words],
    ["Threshold", metric.threshold === null ? "none" : formatLimit(metric.threshold, metric.polarity, metric)],
    ["Needs", metric.needs.join(", ") || (metric.is_composite ? "the scores of other metrics" : "what its rule says")],
    ["Languages", metric.languages.join(", ") || "any"],
    ["Reads", metric.parameters.join(", ")],
    ["Word lists", metric.lexicons.join(", ")],
    [
      "Options",
      Object.entries(metric.options)
        .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
        .join(", "),
    ],
    ["Also called", metric.aliases.join(", ")],
    ["Version", String(metric.version)],
  ];
  return (
    <aside aria-label="What is declared">
      <dl className="declared">
        {rows
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </aside>
  );
}

function Trend({ metric }: { metric: MetricPage }) {
  const { data } = useAnswer("list_series", { metric_id: metric.id, hours: 720 });
  if (!data || data.filter((bucket) => bucket.mean !== null).length < 2) return null;
  return (
    <Chart title="Last 30 days" note="mean by hour, all runs" file={metric.id}>
      <TrendChart
        label={metric.label}
        points={data.map((bucket) => ({ time: bucket.time_bucket, value: bucket.mean, count: bucket.count }))}
        format={(value) => formatValue(value, metric)}
        low={metric.range[0] ?? undefined}
        high={metric.range[1] ?? undefined}
      />
    </Chart>
  );
}
