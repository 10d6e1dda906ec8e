import type { MetricPage } from "../../api/generated/schema";
import { POLARITY } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { Chart } from "../../components/ui/Chart";
import { Markdown } from "../../components/ui/Markdown";
import { TrendChart } from "../../components/ui/TrendChart";
import { formatLimit, formatRange, formatValue, labelOf } from "../../lib/format";
import { t } from "../../lib/messages";
import { labelOfMetric, languageOf, summaryOf } from "../../lib/metric-words";
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
      <PageHead title={labelOfMetric(metric)} note={<span className="id">{metric.id}</span>}>
        <span className="badges">
          {metric.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          {metric.is_composite && <Badge tone="accent">{t("metrics.madeOfOtherScores")}</Badge>}
        </span>
        <a className="push small" href={href("/metrics", { family: metric.family })}>
          {t("metrics.allOf", { family: labelOf(metric.family) })}
        </a>
      </PageHead>
      <div className="metric-page">
        <div className="stack">
          <section>
            <p className="lead" {...languageOf(metric.id)}>
              {summaryOf(metric)}
            </p>
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
    [t("metrics.range"), formatRange(metric)],
    [t("metrics.polarity"), POLARITY[metric.polarity].words],
    [
      t("common.threshold"),
      metric.threshold === null ? t("common.none") : formatLimit(metric.threshold, metric.polarity, metric),
    ],
    [
      t("metrics.needs"),
      metric.needs.join(", ") ||
        (metric.is_composite ? t("metrics.theScoresOfOtherMetrics") : t("metrics.whatItsRuleSays")),
    ],
    [t("common.languages"), metric.languages.join(", ") || t("metrics.any")],
    [t("metrics.reads"), metric.parameters.join(", ")],
    [t("metrics.wordLists"), metric.lexicons.join(", ")],
    [
      t("common.options"),
      Object.entries(metric.options)
        .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
        .join(", "),
    ],
    [t("metrics.alsoCalled"), metric.aliases.join(", ")],
    [t("metrics.version"), String(metric.version)],
  ];
  return (
    <aside aria-label={t("metrics.whatIsDeclared")}>
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
    <Chart title={t("metrics.last30Days")} note={t("metrics.meanByHourAllRuns")} file={metric.id}>
      <TrendChart
        label={labelOfMetric(metric)}
        points={data.map((bucket) => ({ time: bucket.time_bucket, value: bucket.mean, count: bucket.count }))}
        format={(value) => formatValue(value, metric)}
        low={metric.range[0] ?? undefined}
        high={metric.range[1] ?? undefined}
      />
    </Chart>
  );
}
