/** What changed between two runs, on scales that can be drawn side by side. */
import type { MetricChangeEntry } from "../api/generated/schema";
import type { Registry } from "../api/registry";
import type { Scale } from "./format";

/** Figures of the whole run are shares. */
const SHARE: Scale = { unit: "share", range: [0, 1] };

/** Whether it is a figure of the whole run rather than a metric. */
export function isWhole(change: Pick<MetricChangeEntry, "metric">): boolean {
  return !change.metric.includes(".");
}

export function scaleOf(change: Pick<MetricChangeEntry, "metric">, registry: Registry): Scale {
  return isWhole(change) ? SHARE : registry.scale(change.metric);
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
