import type { Critical, CriticalReport } from "../../api/generated/schema";
import { type Tone, useRegistry } from "../../api/registry";
import { Change } from "../../components/Change";
import { MetricFacts } from "../../components/MetricFacts";
import { MetricName } from "../../components/MetricName";
import { useScope } from "../../components/Scope";
import { Meter } from "../../components/ui/Meter";
import { Sparkline } from "../../components/ui/Sparkline";
import { Info } from "../../components/ui/Tooltip";
import {
  formatCount,
  formatInterval,
  formatLimit,
  formatMoment,
  formatShare,
  formatValue,
  NOTHING,
  type Scale,
} from "../../lib/format";
import { IN_ENGLISH, rich, t } from "../../lib/messages";

const TONES: Readonly<Record<string, Tone>> = { excellent: "good", good: "warn", watch: "bad" };
const WORDS: Readonly<Record<string, string>> = {
  excellent: t("targets.onTarget"),
  good: t("targets.close"),
  watch: t("targets.offTarget"),
};

/** The critical metrics against their targets; those without a value say why. */
export function CriticalMetrics({ report }: { report: CriticalReport }) {
  const reached = report.metrics.filter((metric) => metric.status === "excellent").length;
  const known = report.metrics.filter((metric) => metric.value !== null).length;
  return (
    <section aria-labelledby="critical">
      <div className="section-head">
        <h2 id="critical">{t("targets.criticalMetrics")}</h2>
        <span className="muted small">
          {t("targets.ofOnTarget", {
            reached,
            known,
            value:
              report.system_health !== null &&
              t("targets.targetAttainment", { system_health: formatShare(report.system_health) }),
          })}
        </span>
      </div>
      <ul className="critical">
        {report.metrics.map((metric) => (
          <CriticalMetric key={metric.metric} metric={metric} />
        ))}
      </ul>
    </section>
  );
}

function CriticalMetric({ metric }: { metric: Critical }) {
  const { metrics, label, scale } = useRegistry();
  const declared = metrics.get(metric.metric);
  const unit = scale(metric.metric);
  const polarity = declared?.polarity ?? "higher";
  const tone = TONES[metric.status ?? ""] ?? "neutral";
  const target = formatLimit(metric.target, polarity, unit);
  return (
    <li className={`critical-metric tone-${tone}`}>
      <div className="critical-head">
        <h3>
          <MetricName id={metric.metric} hasId={false} />
        </h3>
        <Info
          label={t("targets.evidenceFor", { metric: label(metric.metric) })}
          content={<MetricFacts metric={declared} />}
        />
      </div>
      {metric.value === null ? (
        <>
          <p className="critical-value muted">{NOTHING}</p>
          <p className="muted small" {...IN_ENGLISH}>
            {metric.reason}
          </p>
          <p className="muted tiny critical-note">{t("targets.targetValue", { target })}</p>
        </>
      ) : (
        <>
          <div className="critical-value">
            <p className="number">{formatValue(metric.value, unit)}</p>
            <Trend metric={metric} polarity={polarity} unit={unit} />
          </div>
          <Meter
            value={metric.value}
            scale={unit}
            interval={metric.interval}
            threshold={metric.target}
            tone={tone}
            thresholdName={t("targets.target")}
          />
          <p className="tiny muted critical-note">
            <span>
              {rich("targets.statusAndTarget", {
                part: <span className={`tone-text tone-${tone}`}>{WORDS[metric.status ?? ""]}</span>,
                part2: <span className="number">{target}</span>,
              })}
            </span>
            <span>
              {metric.interval && <span className="number">{formatInterval(metric.interval, unit)}</span>}
              {metric.interval && " · "}
              <span className="number">n = {formatCount(metric.count)}</span>
            </span>
          </p>
        </>
      )}
    </li>
  );
}

/** The course of the period, and the change against the one before. */
function Trend({
  metric,
  polarity,
  unit,
}: {
  metric: Critical;
  polarity: "higher" | "lower" | "neutral";
  unit: Scale;
}) {
  const { hours } = useScope();
  const { series } = metric;
  const [first, last] = [series[0], series.at(-1)];
  const words =
    first && last
      ? t("targets.trend", {
          value: [first, last]
            .map((point) =>
              t("targets.valueAt", {
                value: formatValue(point.value, unit),
                time_bucket: formatMoment(point.time_bucket),
              }),
            )
            .join(", "),
        })
      : "";
  return (
    <span className="critical-trend">
      <Sparkline label={words} values={series.map((point) => point.value)} />
      <Change
        share={metric.trend}
        polarity={polarity}
        against={hours ? t("targets.thePreviousPeriod") : t("targets.thePrevious24Hours")}
      />
    </span>
  );
}
