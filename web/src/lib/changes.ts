/** What changed between two runs, on scales that can be drawn side by side. */
import type { MetricChangeEntry } from "../api/generated/schema";
import type { Registry } from "../api/registry";
import type { Scale } from "./format";

/** The pass rate of a run: a share of its samples. */
export const SHARE: Scale = { unit: "share", range: [0, 1] };
/** The mean quality of a run: how good its scores are, whether its samples pass or not. */
export const QUALITY: Scale = { unit: "quality", range: [0, 1] };

/** Whether it is a figure of the whole run rather than a metric. */
export function isWhole(change: Pick<MetricChangeEntry, "metric">): boolean {
  return !change.metric.includes(".");
}

export function scaleOf(change: Pick<MetricChangeEntry, "metric">, registry: Registry): Scale {
  if (!isWhole(change)) return registry.scale(change.metric);
  return change.metric === "pass_rate" ? SHARE : QUALITY;
}

/** The width of a metric's scale, so that all differences can be drawn alike. */
export function widthOf(change: MetricChangeEntry, registry: Registry): number {
  const [low, high] = scaleOf(change, registry).range;
  return high === null ? Math.max(Math.abs(change.mean_a ?? 0), Math.abs(change.mean_b ?? 0)) || 1 : high - (low ?? 0);
}

export function sizeOf(change: MetricChangeEntry, registry: Registry): number {
  return Math.abs((change.difference ?? 0) / widthOf(change, registry));
}

/** The largest difference that is drawn, as a share of its scale. */
export function widestOf(changes: readonly MetricChangeEntry[], registry: Registry): number {
  const bounded = changes.filter((change) => scaleOf(change, registry).range[1] !== null);
  return Math.max(0.05, ...bounded.map((change) => sizeOf(change, registry)));
}

/** A change that several metrics share, figure by figure: other names of the same measure. */
export interface MergedChange extends MetricChangeEntry {
  /** The metrics behind the first. */
  also: readonly string[];
}

/** Metrics that changed in exactly the same way as one; what did not change proves nothing. */
export function mergeSame(changes: readonly MetricChangeEntry[]): MergedChange[] {
  const merged = new Map<string, MergedChange & { also: string[] }>();
  for (const change of changes) {
    const { metric, mean_a, mean_b, difference, interval, pairs, lost, gained, changed } = change;
    const isSure = difference !== null && changed > 0 && !isWhole(change);
    const key = isSure ? JSON.stringify([mean_a, mean_b, difference, interval, pairs, lost, gained, changed]) : metric;
    const found = merged.get(key);
    if (found) found.also.push(metric);
    else merged.set(key, { ...change, also: [] });
  }
  return [...merged.values()];
}
