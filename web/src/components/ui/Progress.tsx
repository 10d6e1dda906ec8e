import type { CSSProperties } from "react";
import { formatCount } from "../../lib/format";
import { t } from "../../lib/messages";

/** How far something has come; without a total only what is done. */
export function Progress({ done, total, label }: { done: number; total: number | null; label: string }) {
  const share = total ? Math.min(1, done / total) : null;
  return (
    <span className="progress">
      <span
        className="progress-track"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total ?? undefined}
        aria-valuenow={total ? done : undefined}
      >
        <span
          className={share === null ? "progress-fill unknown" : "progress-fill"}
          style={{ "--at": `${100 * (share ?? 1)}%` } as CSSProperties}
        />
      </span>
      <span className="number tiny muted">
        {formatCount(done)}
        {total ? t("common.ofTotal", { total }) : ""}
      </span>
    </span>
  );
}
