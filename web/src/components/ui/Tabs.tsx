import { type KeyboardEvent, type ReactNode, useEffect, useId } from "react";
import { BACK, FORWARD } from "../../lib/keys";

export interface Tab {
  id: string;
  label: ReactNode;
}

interface TabsProps {
  tabs: readonly Tab[];
  chosen: string;
  onChoose: (id: string) => void;
  label: string;
  children: ReactNode;
}

/** Move a row sideways until a part of it is in sight; the page itself stays where it is. */
function reveal(part: HTMLElement, row: HTMLElement): void {
  const [inner, outer] = [part.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.left < outer.left) row.scrollLeft += inner.left - outer.left;
  else if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right;
}

/** Several views of one thing, of which one is shown; arrow keys go from one to the next. */
export function Tabs({ tabs, chosen, onChoose, label, children }: TabsProps) {
  const base = useId();
  useEffect(() => {
    const tab = document.getElementById(`${base}-${chosen}`);
    if (tab?.parentElement) reveal(tab, tab.parentElement);
  }, [base, chosen]);
  const move = (event: KeyboardEvent) => {
    const step = { [FORWARD]: 1, [BACK]: -1 }[event.key];
    if (!step) return;
    const here = tabs.findIndex((tab) => tab.id === chosen);
    const next = tabs[(here + step + tabs.length) % tabs.length]!;
    onChoose(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
