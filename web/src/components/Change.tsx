import { formatChange } from "../lib/format";
import { t } from "../lib/messages";

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
    <span className={`change tone-${tone}`} title={t("shared.against", { against })}>
      <span aria-hidden="true">{isSmall ? "→" : share > 0 ? "↗" : "↘"}</span> {formatChange(share)}
      <span className="unseen">
        {t("shared.changeAgainst", {
          value: tone === "good" ? t("shared.better") : tone === "bad" ? t("shared.worse") : "",
          against,
        })}
      </span>
    </span>
  );
}
