import type { Critical, CriticalReport } from "../../api/generated/schema";
import { type Tone, useRegistry } from "../../api/registry";
import { Change } from "../../components/Change";
import { MetricName } from "../../components/MetricName";
import { Meter } from "../../components/ui/Meter";
import { formatCount, formatInterval, formatLimit, formatScore, formatValue, NOTHING } from "../../lib/format";

const TONES: Readonly<Record<string, Tone>> = { excellent: "good", good: "warn", watch: "bad" };
const WORDS: Readonly<Record<string, string>> = { excellent: "on target", good: "close", watch: "off target" };

/** The critical metrics against their targets; those without a value say why. */
export function CriticalMetrics({ report }: { report: CriticalReport }) {
  const reached = report.metrics.filter((metric) => metric.status === "excellent").length;
  const known = report.metrics.filter((metric) => metric.value !== null).length;
  return (
    <section aria-labelledby="critical">
      <div className="section-head">
        <h2 id="critical">Critical metrics</h2>
        <span className="muted small">
          {reached} of {known} on target
          {report.system_health !== null && ` · targets reached to ${formatScore(report.system_health)}%`}
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
  const { metrics, scale } = useRegistry();
  const unit = scale(metric.metric);
  const polarity = metrics.get(metric.metric)?.polarity ?? "higher";
  const tone = TONES[metric.status ?? ""] ?? "neutral";
  return (
    <li className={`critical-metric tone-${tone}`}>
      <h3>
        <MetricName id={metric.metric} hasId={false} />
      </h3>
      {metric.value === null ? (
        <>
          <p className="critical-value muted">{NOTHING}</p>
          <p className="muted small">{metric.reason}</p>
          <p className="muted tiny">
            Target {formatLimit(metric.target, polarity, unit)}
          </p>
        </>
      ) : (
        <>
          <p className="critical-value number">
            {formatValue(metric.value, unit)} <Change percent={metric.trend} polarity={polarity} against="the period before" />
          </p>
          <Meter value={metric.value} scale={unit} interval={metric.interval} threshold={metric.target} tone={tone} thresholdName="target" />
          <p className="tiny muted number critical-note">
            <span>
              <span className={`tone-text tone-${tone}`}>{WORDS[metric.status ?? ""]}</span> · target {formatLimit(metric.target, polarity, unit)}
            </span>
            <span>
              {metric.interval ? `${formatInterval(metric.interval, unit)} · ` : ""}n = {formatCount(metric.count)}
            </span>
          </p>
        </>
      )}
    </li>
  );
}
