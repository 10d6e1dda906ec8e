import type { Overview as OverviewData } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { PageDrop } from "../../components/PageDrop";
import { useScope } from "../../components/Scope";
import { Await } from "../../components/ui/Await";
import { Chart } from "../../components/ui/Chart";
import { EmptyState } from "../../components/ui/EmptyState";
import { Radar } from "../../components/ui/Radar";
import { TrendChart } from "../../components/ui/TrendChart";
import { Welcome } from "../../components/Welcome";
import { formatCount, formatSeconds, formatShare } from "../../lib/format";
import { Categories } from "./Categories";
import { CriticalMetrics } from "./CriticalMetrics";
import { Headline } from "./Headline";
import "./overview.css";

/** A system's quality in ten seconds. */
export function Overview() {
  const scope = useScope();
  useRegistry(); // asked for at once, so that the first view is one round of requests
  const answer = useAnswer("get_overview", scope, { every: 30_000, keeps: true });
  return (
    <PageDrop>
      {(button) => (
        <Await answer={answer}>
          {(data) =>
            data.statistics.total_tests > 0 ? (
              <Board data={data} />
            ) : scope.hours || scope.run ? (
              <EmptyState title="No tests in this period">Choose a longer period or another run.</EmptyState>
            ) : (
              <Welcome button={button} onLoaded={answer.reload} />
            )
          }
        </Await>
      )}
    </PageDrop>
  );
}

function Board({ data }: { data: OverviewData }) {
  const { label } = useRegistry();
  const { timeseries } = data;
  return (
    <div className="stack">
      <Headline statistics={data.statistics} timeseries={timeseries} />
      <CriticalMetrics report={data.critical} />
      <div className="columns">
        <Categories categories={data.categories} />
        <Chart title="Radar" note="0 to 100, higher is better" file="radar">
          <Radar
            axes={data.radar.map((axis) => ({
              label: label(axis.metric),
              score: axis.score === null ? null : 100 * axis.score,
            }))}
          />
        </Chart>
      </div>
      <div className="columns">
        <Chart title="Pass rate" note="by hour" file="pass-rate">
          <TrendChart
            label="Pass rate"
            points={timeseries.map((bucket) => ({
              time: bucket.time_bucket,
              value: bucket.pass_rate,
              count: bucket.total,
            }))}
            format={(value) => formatShare(value, 0)}
            low={0}
            high={1}
          />
        </Chart>
        <Chart title="Response time" note="mean by hour" file="response-time">
          <TrendChart
            label="Response time"
            points={timeseries.map((bucket) => ({
              time: bucket.time_bucket,
              value: bucket.avg_duration,
              count: bucket.total,
            }))}
            format={formatSeconds}
            low={0}
          />
        </Chart>
      </div>
      <p className="muted small">
        {formatCount(data.statistics.total_tests)} tests · {formatCount(data.statistics.metrics_tracked)} metrics ·{" "}
        {formatCount(data.statistics.data_points)} scores
      </p>
    </div>
  );
}
