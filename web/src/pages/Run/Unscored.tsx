import type { RunMetric } from "../../api/generated/schema";
import { MetricName } from "../../components/MetricName";
import { formatCount } from "../../lib/format";

/** Metrics without any score, each with its commonest reason. */
export function Unscored({ metrics }: { metrics: readonly RunMetric[] }) {
  if (metrics.length === 0) return null;
  return (
    <details className="unscored">
      <summary>
        {formatCount(metrics.length)} {metrics.length === 1 ? "metric" : "metrics"} without a score, and why
      </summary>
      <ul>
        {metrics.map((entry) => (
          <li key={entry.metric}>
            <MetricName id={entry.metric} />
            <span className="muted small" dir="auto">
              {Object.keys(entry.reasons)[0] ??
                (entry.errors ? `${formatCount(entry.errors)} attempts failed.` : "Not scored yet.")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
