import type { RunMetric } from "../../api/generated/schema";
import { MetricName } from "../../components/MetricName";
import { IN_ENGLISH, t } from "../../lib/messages";

/** Metrics without any score, each with its commonest reason. */
export function Unscored({ metrics }: { metrics: readonly RunMetric[] }) {
  if (metrics.length === 0) return null;
  return (
    <details className="unscored">
      <summary>{t("run.withoutAScore", { count: metrics.length })}</summary>
      <ul>
        {metrics.map((entry) => (
          <li key={entry.metric}>
            <MetricName id={entry.metric} />
            <span className="muted small">
              {Object.keys(entry.reasons).length > 0 ? (
                <span {...IN_ENGLISH}>{Object.keys(entry.reasons)[0]}</span>
              ) : entry.errors ? (
                t("run.attemptsFailed", { errors: entry.errors })
              ) : (
                t("run.notScoredYet")
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
