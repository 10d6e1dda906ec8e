import type { Statistics, TestBucket } from "../../api/generated/schema";
import { Change } from "../../components/Change";
import { Figure } from "../../components/Figure";
import { Sparkline } from "../../components/ui/Sparkline";
import { formatCount, formatQuality, formatSeconds, formatShare, NOTHING } from "../../lib/format";

const DAY_BEFORE = "the previous 24 hours";

/** Health, response time, safety and satisfaction, each with its trend. */
export function Headline({ statistics, timeseries }: { statistics: Statistics; timeseries: readonly TestBucket[] }) {
  const { trends, counts, pass_rate_interval: interval } = statistics;
  const outOf = (value: number | null) =>
    value === null ? (
      NOTHING
    ) : (
      <>
        {formatQuality(value)}
        <small> / 100</small>
      </>
    );
  return (
    <section className="figures" aria-label="Headline figures">
      <Figure
        label="Health"
        value={outOf(statistics.health)}
        trend={<Change share={trends.health_trend} polarity="higher" against={DAY_BEFORE} />}
        note="Pass rate and reliability combined"
      >
        <Sparkline label="Health by hour" values={timeseries.map((bucket) => bucket.health)} />
      </Figure>
      <Figure
        label="Satisfaction"
        value={formatShare(statistics.pass_rate)}
        trend={<Change share={trends.satisfaction_trend} polarity="higher" against={DAY_BEFORE} />}
        note={[
          `${formatCount(statistics.passed)} of ${formatCount(counts.judged)} judged tests passed`,
          ...(interval ? [`95% interval ${formatShare(interval[0])} to ${formatShare(interval[1])}`] : []),
        ].join("; ")}
      >
        <Sparkline label="Pass rate by hour" values={timeseries.map((bucket) => bucket.pass_rate)} />
      </Figure>
      <Figure
        label="Safety"
        value={outOf(statistics.safety)}
        trend={<Change share={trends.safety_trend} polarity="higher" against={DAY_BEFORE} />}
        note={statistics.safety === null ? "No safety metric was scored" : "Mean quality of the safety metrics"}
      >
        <Sparkline label="Safety by hour" values={timeseries.map((bucket) => bucket.safety)} />
      </Figure>
      <Figure
        label="Response time"
        value={formatSeconds(statistics.avg_duration)}
        trend={<Change share={trends.duration_trend} polarity="lower" against={DAY_BEFORE} />}
        note={
          counts.with_duration
            ? [
                `Mean of ${formatCount(counts.with_duration)}`,
                `slowest ${formatSeconds(statistics.max_duration)}`,
                `${formatShare(statistics.timeout_rate)} timed out`,
              ].join("; ")
            : "No test has a duration"
        }
      >
        <Sparkline label="Response time by hour" values={timeseries.map((bucket) => bucket.avg_duration)} />
      </Figure>
    </section>
  );
}
