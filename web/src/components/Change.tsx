import { formatChange } from "../lib/format";

/** A change in percent, in the colour of what it means. */
export function Change({
  percent,
  polarity,
  against,
}: {
  percent: number | null;
  polarity: "higher" | "lower" | "neutral";
  against: string;
}) {
  if (percent === null) return null;
  const isSmall = Math.abs(percent) < 0.05;
  const tone = isSmall || polarity === "neutral" ? "neutral" : percent > 0 === (polarity === "higher") ? "good" : "bad";
  return (
    <span className={`change tone-${tone}`} title={`against ${against}`}>
      <span aria-hidden="true">{isSmall ? "→" : percent > 0 ? "↗" : "↘"}</span> {formatChange(percent)}
      <span className="unseen">
        {tone === "good" ? " (better)" : tone === "bad" ? " (worse)" : ""} against {against}
      </span>
    </span>
  );
}
