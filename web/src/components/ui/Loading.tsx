/** Something is on its way; shown after a moment only, so that quick answers do not flicker. */
import { t } from "../../lib/messages";

export function Loading({ what = t("shared.loading") }: { what?: string }) {
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {what}…
    </div>
  );
}
