/** What there is to know of metrics: the pages know none by name. */
import { useMemo } from "react";
import { labelOf, PLAIN, type Scale } from "../lib/format";
import { t } from "../lib/messages";
import { labelOfMetric, summaryOf } from "../lib/metric-words";
import type { MetricEntry } from "./generated/schema";
import { useAnswer } from "./use-answer";

export interface Registry {
  metrics: ReadonlyMap<string, MetricEntry>;
  label: (id: string) => string;
  summary: (id: string) => string;
  scale: (id: string) => Scale;
}

export function useRegistry(): Registry {
  const { data } = useAnswer("list_metrics", {}, { isFixed: true });
  return useMemo(() => {
    const metrics = new Map((data ?? []).map((metric) => [metric.id, metric]));
    const label = (id: string) => labelOfMetric({ id, label: metrics.get(id)?.label ?? labelOf(id) });
    const summary = (id: string) => summaryOf({ id, summary: metrics.get(id)?.summary ?? "" });
    return { metrics, label, summary, scale: (id) => metrics.get(id) ?? PLAIN };
  }, [data]);
}

/** A value from 0 to 1, higher is better; null where that has no meaning. */
export function qualityOf(metric: MetricEntry | undefined, value: number | null): number | null {
  if (!metric || value === null || metric.polarity === "neutral") return null;
  const [low, high] = metric.range;
  if (low === null || high === null) return null;
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return metric.polarity === "higher" ? share : 1 - share;
}

export type Tone = "good" | "warn" | "bad" | "neutral";

/** How a value does against its threshold, else by its quality. */
export function toneOf(metric: MetricEntry | undefined, value: number | null, threshold: number | null): Tone {
  if (!metric || value === null) return "neutral";
  if (threshold !== null && metric.polarity !== "neutral") {
    const holds = metric.polarity === "lower" ? value <= threshold : value >= threshold;
    return holds ? "good" : "bad";
  }
  return "neutral";
}

export const POLARITY = {
  higher: { sign: "↑", words: t("shared.higherIsBetter"), short: t("shared.higher") },
  lower: { sign: "↓", words: t("shared.lowerIsBetter"), short: t("shared.lower") },
  neutral: { sign: "", words: t("shared.neitherEndIsBetter"), short: t("shared.neitherEndIsBetter") },
} as const;
