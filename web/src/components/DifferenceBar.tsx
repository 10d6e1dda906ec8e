import type { MetricChangeEntry } from "../api/generated/schema";
import type { Tone } from "../api/registry";
import "./difference.css";

const TONES: Readonly<Record<string, Tone>> = { better: "good", worse: "bad", higher: "warn", lower: "warn" };

/** A difference with its interval around zero. */
export function DifferenceBar({
  change,
  width,
  widest,
  label,
}: {
  change: MetricChangeEntry;
  width: number;
  widest: number;
  label: string;
}) {
  if (change.difference === null) return null;
  const at = (value: number) => 50 + 46 * Math.max(-1, Math.min(1, value / width / widest));
  const middle = at(change.difference);
  return (
    <svg
      className={`difference-bar tone-${TONES[change.verdict] ?? "neutral"}`}
      viewBox="0 0 100 16"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <line className="zero" x1="50" x2="50" y1="0" y2="16" vectorEffect="non-scaling-stroke" />
      <rect className="bar" x={Math.min(50, middle)} width={Math.abs(middle - 50)} y="5" height="6" />
      {change.interval && (
        <line
          className="whisker"
          x1={at(change.interval[0])}
          x2={at(change.interval[1])}
          y1="8"
          y2="8"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {change.interval?.map((end, index) => (
        <line
          key={index}
          className="whisker"
          x1={at(end)}
          x2={at(end)}
          y1="5"
          y2="11"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
