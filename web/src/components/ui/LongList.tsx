import { type ReactNode, useState } from "react";
import { t } from "../../lib/messages";

/** Entries that are shown before a list is unfolded. */
const SHOWN = 100;

interface LongListProps<Entry> {
  entries: readonly Entry[];
  /** Shows the entries that it is given: the first of them, or all. */
  children: (entries: readonly Entry[]) => ReactNode;
}

/** A list from data, cut when long. */
export function LongList<Entry>({ entries, children }: LongListProps<Entry>) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {children(isWhole ? entries : entries.slice(0, SHOWN))}
      {entries.length > SHOWN && (
        <button type="button" className="unfold" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t("shared.showLess") : t("shared.showAll", { count: entries.length })}
        </button>
      )}
    </>
  );
}
