import type { RunRetries as Retries } from "../../api/generated/schema";
import { formatProbability, formatShare } from "../../lib/format";
import { t } from "../../lib/messages";

/** How samples that the target answered only after a retry compare with the others. */
export function RunRetries({ retries }: { retries: Retries | null }) {
  if (!retries) return null;
  const { samples, retried, others, p_value, differs } = retries;
  const isCompared = retried.pass_rate !== null && others.pass_rate !== null;
  const isLower = (retried.pass_rate ?? 0) < (others.pass_rate ?? 0);
  return (
    <p className={differs ? "verdict" : "muted small"} role={differs ? "note" : undefined}>
      {[
        t("run.answeredAfterRetry", { samples }),
        isCompared &&
          t("run.retriedPass", { retried: formatShare(retried.pass_rate), others: formatShare(others.pass_rate) }),
        p_value !== null && t("run.retriedChance", { p: formatProbability(p_value) }),
        differs && t(isLower ? "run.retriesHideWorst" : "run.retriesDependOnQuestion"),
      ]
        .filter(Boolean)
        .join(" ")}
    </p>
  );
}
