import type { Statistics, TestBucket } from "../../api/generated/schema";
import { Change } from "../../components/Change";
import { Figure } from "../../components/Figure";
import { Sparkline } from "../../components/ui/Sparkline";
import { formatCount, formatEnds, formatQuality, formatSeconds, formatShare, NOTHING } from "../../lib/format";
import { t } from "../../lib/messages";

const DAY_BEFORE = t("targets.thePrevious24Hours");

/** Health, response time, safety and satisfaction, each with its trend. */
export function Headline({ statistics, timeseries }: { statistics: Statistics; timeseries: readonly TestBucket[] }) {
  const { trends, counts, pass_rate_interval: interval } = statistics;
  const outOf = (value: number | null) =>
    value === null ? (
      NOTHING
    ) : (
      <>
        {formatQuality(value)}
        <small> / {formatCount(100)}</small>
      </>
    );
  return (
    <section className="figures" aria-label={t("targets.headlineFigures")}>
      <Figure
        label={t("targets.health")}
        value={outOf(statistics.health)}
        trend={<Change share={trends.health_trend} polarity="higher" against={DAY_BEFORE} />}
        note={t("targets.passRateAndReliabilityCombined")}
      >
        <Sparkline label={t("targets.healthByHour")} values={timeseries.map((bucket) => bucket.health)} />
      </Figure>
      <Figure
        label={t("targets.satisfaction")}
        value={formatShare(statistics.pass_rate)}
        trend={<Change share={trends.satisfaction_trend} polarity="higher" against={DAY_BEFORE} />}
        note={[
          t("targets.ofJudgedTestsPassed", { passed: statistics.passed, judged: counts.judged }),
          ...(interval ? [t("common.interval95", { interval: formatEnds(interval, formatShare) })] : []),
        ].join("; ")}
      >
        <Sparkline label={t("targets.passRateByHour")} values={timeseries.map((bucket) => bucket.pass_rate)} />
      </Figure>
      <Figure
        label={t("common.safety")}
        value={outOf(statistics.safety)}
        trend={<Change share={trends.safety_trend} polarity="higher" against={DAY_BEFORE} />}
        note={
          statistics.safety === null ? t("targets.noSafetyMetricWasScored") : t("targets.meanQualityOfTheSafetyMetrics")
        }
      >
        <Sparkline label={t("targets.safetyByHour")} values={timeseries.map((bucket) => bucket.safety)} />
      </Figure>
      <Figure
        label={t("targets.responseTime")}
        value={formatSeconds(statistics.avg_duration)}
        trend={<Change share={trends.duration_trend} polarity="lower" against={DAY_BEFORE} />}
        note={
          counts.with_duration
            ? [
                t("targets.meanOf", { with_duration: counts.with_duration }),
                t("targets.slowest", { max_duration: formatSeconds(statistics.max_duration) }),
                t("targets.timedOut", { timeout_rate: formatShare(statistics.timeout_rate) }),
              ].join("; ")
            : t("targets.noTestHasADuration")
        }
      >
        <Sparkline label={t("targets.responseTimeByHour")} values={timeseries.map((bucket) => bucket.avg_duration)} />
      </Figure>
    </section>
  );
}
