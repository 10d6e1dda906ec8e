import type { Overview as OverviewData, TestBucket } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { useScope } from "../../components/Scope";
import { Await } from "../../components/ui/Await";
import { Chart } from "../../components/ui/Chart";
import { EmptyState } from "../../components/ui/EmptyState";
import { Radar } from "../../components/ui/Radar";
import { TrendChart } from "../../components/ui/TrendChart";
import { formatSeconds, formatShare, formatValue } from "../../lib/format";
import { IN_ENGLISH, rich, t } from "../../lib/messages";
import { href } from "../../lib/url";
import { Categories } from "./Categories";
import { CriticalMetrics } from "./CriticalMetrics";
import { Headline } from "./Headline";
import "./targets.css";

/** The critical metrics against their targets, categories and the radar, over a period. */
export function Targets() {
  const scope = useScope();
  useRegistry(); // asked for at once, so that the first view is one round of requests
  const answer = useAnswer("get_overview", scope, { every: 30_000, keeps: true });
  return (
    <Await answer={answer}>
      {(data) =>
        data.statistics.total_tests > 0 ? (
          <Board data={data} />
        ) : scope.hours || scope.run ? (
          <EmptyState title={t("common.noTestsInThisPeriod")}>{t("common.chooseALongerPeriodOrAnother")}</EmptyState>
        ) : (
          <EmptyState title={t("common.nothingIsScoredYet")}>
            {rich("targets.targetsAreShownOnceThereIsA", {
              link: <a href={href("/")}>{t("common.dropAFileOrLoadThe")}</a>,
            })}
          </EmptyState>
        )
      }
    </Await>
  );
}

function Board({ data }: { data: OverviewData }) {
  const { label, scale } = useRegistry();
  const { timeseries } = data;
  return (
    <div className="stack">
      <Headline statistics={data.statistics} timeseries={timeseries} />
      <CriticalMetrics report={data.critical} />
      <div className="columns">
        <Categories categories={data.categories} />
        <Chart title={t("targets.radar")} note={t("targets.furtherOutIsBetterValuesOn")} file="radar">
          <Radar
            axes={data.radar.map((axis) => ({
              label: label(axis.metric),
              score: axis.score === null ? null : 100 * axis.score,
              shown: formatValue(axis.value, scale(axis.metric)),
              reason: axis.reason && <span {...IN_ENGLISH}>{axis.reason}</span>,
            }))}
          />
        </Chart>
      </div>
      <Trends timeseries={timeseries} />
      <p className="muted small">
        {t("targets.testsMetricsScores", {
          total_tests: data.statistics.total_tests,
          metrics_tracked: data.statistics.metrics_tracked,
          data_points: data.statistics.data_points,
        })}
      </p>
    </div>
  );
}

interface Course {
  title: string;
  note: string;
  file: string;
  valueIn: (bucket: TestBucket) => number | null;
  format: (value: number) => string;
  high?: number;
}

const COURSES: readonly Course[] = [
  {
    title: t("common.passRate"),
    note: t("targets.byHour"),
    file: "pass-rate",
    valueIn: (bucket) => bucket.pass_rate,
    format: (value) => formatShare(value, 0),
    high: 1,
  },
  {
    title: t("targets.responseTime"),
    note: t("targets.meanByHour"),
    file: "response-time",
    valueIn: (bucket) => bucket.avg_duration,
    format: formatSeconds,
  },
];

/** Rates by hour, where there is more than one. */
function Trends({ timeseries }: { timeseries: readonly TestBucket[] }) {
  const hasCourse = ({ valueIn }: Course) => timeseries.filter((bucket) => valueIn(bucket) !== null).length > 1;
  return (
    <div className="columns">
      {COURSES.filter(hasCourse).map(({ title, note, file, valueIn, format, high }) => (
        <Chart key={file} title={title} note={note} file={file}>
          <TrendChart
            label={title}
            points={timeseries.map((bucket) => ({
              time: bucket.time_bucket,
              value: valueIn(bucket),
              count: bucket.total,
            }))}
            format={format}
            low={0}
            high={high}
          />
        </Chart>
      ))}
    </div>
  );
}
