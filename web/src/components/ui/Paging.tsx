import { t } from "../../lib/messages";
import { Button } from "./Button";

export interface PagingProps {
  total: number;
  limit: number;
  offset: number;
  onMove: (offset: number) => void;
}

export function Paging({ total, limit, offset, onMove }: PagingProps) {
  if (total <= limit && offset === 0) return null;
  const last = Math.min(total, offset + limit);
  return (
    <nav className="paging" aria-label={t("shared.pages")}>
      <Button kind="quiet" icon="left" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
        {t("common.previous")}
      </Button>
      <span className="number small">
        {t("shared.rangeOfTotal", { offset: Math.min(offset + 1, total), last, total })}
      </span>
      <Button kind="quiet" disabled={last >= total} onClick={() => onMove(offset + limit)}>
        {t("common.next")}
      </Button>
    </nav>
  );
}
