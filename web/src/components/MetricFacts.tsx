import type { AgreementEntry, MetricEntry } from "../api/generated/schema";
import { POLARITY } from "../api/registry";
import { formatCount, formatLimit } from "../lib/format";

const NAMES = { auroc: "AUROC", spearman: "Spearman" } as const;
/** Sets that a tooltip names; the metric's page has all. */
const SHOWN = 4;

/** What a metric measures and how far it was found to agree with people, in a few lines. */
export function MetricFacts({ metric }: { metric: MetricEntry | undefined }) {
  if (!metric) return "This metric is not installed here.";
  return (
    <>
      <strong>{metric.summary}</strong>
      <span>
        {POLARITY[metric.polarity].words}
        {metric.threshold !== null && `; threshold ${formatLimit(metric.threshold, metric.polarity, metric)}`}
      </span>
      {metric.needs.length > 0 && <span>Needs {metric.needs.join(", ")}.</span>}
      <Trust measured={metric.measured} />
    </>
  );
}

function Trust({ measured }: { measured: readonly AgreementEntry[] }) {
  if (measured.length === 0)
    return (
      <span className="muted">Not yet compared with human labels; see its page for its rule and blind spots.</span>
    );
  const ahead = measured.filter((found) => found.is_ahead).length;
  return (
    <>
      <span className="tooltip-title">Agreement with human labels</span>
      {measured.slice(0, SHOWN).map((found) => (
        <span key={`${found.question} ${found.set}`} className="tooltip-row">
          <span>
            {found.set} <span className="muted tiny number">n = {formatCount(found.records)}</span>
          </span>
          <span className="number">{agreement(found)}</span>
        </span>
      ))}
      {measured.length > SHOWN && <span className="muted">and {measured.length - SHOWN} more on its page</span>}
      <span className={ahead ? "" : "muted"}>{verdict(ahead, measured.length)}</span>
    </>
  );
}

export function agreement({ statistic, value, interval }: AgreementEntry): string {
  return `${NAMES[statistic]} ${value.toFixed(3)} [${interval.map((end) => end.toFixed(3)).join(", ")}]`;
}

/** Whether it is worth more than a plain rule, in words. */
export function verdict(ahead: number, sets: number): string {
  const all = sets === 1 ? "this set" : ahead === sets ? `all ${sets} sets` : `${ahead} of ${sets} sets`;
  return ahead ? `Better than every baseline on ${all}.` : "Not better than baselines such as counting shared words.";
}
