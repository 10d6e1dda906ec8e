import { formatChange } from "../lib/format";

/** A relative change, shown in percent and in the colour of what it means. */
export function Change({
  share,
  polarity,
  against,
}: {
  share: number | null;
  polarity: "higher" | "lower" | "neutral";
  against: string;
}) {
  if (share === null) return null;
  const isSmall = Math.abs(share) < 0.0005;
  const tone = isSmall || polarity === "neutral" ? "neutral" : share > 0 === (polarity === "higher") ? "good" : "bad";
  return (
    <span className={`change tone-${tone}`} title={`against ${against}`}>
      <span aria-hidden="true">{isSmall ? "→" : share > 0 ? "↗" : "↘"}</span> {formatChange(share)}
      <span className="unseen">
        {tone === "good" ? " (better)" : tone === "bad" ? " (worse)" : ""} against {against}
      </span>
    </span>
  );
}
