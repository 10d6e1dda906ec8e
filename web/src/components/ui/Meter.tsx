import type { CSSProperties } from "react";
import type { Tone } from "../../api/registry";
import { formatInterval, formatValue, type Scale } from "../../lib/format";
import { t } from "../../lib/messages";

interface MeterProps {
  value: number | null;
  scale: Scale;
  interval?: readonly [number, number] | null;
  threshold?: number | null;
  tone?: Tone;
  label?: string;
  thresholdName?: string;
}

/** A value on its scale, with whiskers for its interval and a tick for its threshold. */
export function Meter({
  value,
  scale,
  interval,
  threshold,
  tone = "neutral",
  label = t("common.value"),
  thresholdName = t("shared.threshold"),
}: MeterProps) {
  const low = scale.range[0] ?? 0;
  const high = scale.range[1] ?? highestOf([value, threshold, interval?.[1]], low);
  const at = (point: number) => `${(100 * Math.min(1, Math.max(0, (point - low) / (high - low || 1)))).toFixed(2)}%`;
  const words = [
    `${label} ${formatValue(value, scale)}`,
    interval ? t("common.interval95", { interval: formatInterval(interval, scale) }) : "",
    threshold === null || threshold === undefined ? "" : `${thresholdName} ${formatValue(threshold, scale)}`,
  ].filter(Boolean);
  return (
    <span className={`meter tone-${tone}`} role="img" aria-label={words.join(", ")} title={words.join("\n")}>
      {value !== null && <span className="meter-fill" style={{ "--at": at(value) } as CSSProperties} />}
      {interval && (
        <span
          className="meter-whisker"
          style={{ "--from": at(interval[0]), "--to": at(interval[1]) } as CSSProperties}
        />
      )}
      {threshold !== null && threshold !== undefined && (
        <span className="meter-tick" style={{ "--at": at(threshold) } as CSSProperties} />
      )}
    </span>
  );
}

function highestOf(points: (number | null | undefined)[], low: number): number {
  return Math.max(low, ...points.filter((point) => point !== null && point !== undefined)) * 1.15 || 1;
}
