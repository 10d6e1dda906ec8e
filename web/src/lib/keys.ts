/** Keys that move through lists, for those who leave the mouse where it is. */
import { useEffect, useRef } from "react";
import { isFromRight } from "./messages";

/** The arrow keys that go on and back along a line, which run with the page. */
export const [FORWARD, BACK] = isFromRight
  ? (["ArrowLeft", "ArrowRight"] as const)
  : (["ArrowRight", "ArrowLeft"] as const);

/** Whether keys belong to what has the focus: a field, a list of options, an editor. */
function isTyping(event: KeyboardEvent): boolean {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  return (
    at instanceof HTMLElement && (at.isContentEditable || at.matches("input:not([type=checkbox]), select, textarea"))
  );
}

/** Hear single keys while nothing is typed; what a key does is looked up when it is pressed. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const act = isTyping(event) ? undefined : latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
}

/** In a table: j and k go down and up the rows, / goes to the search. */
export function useListKeys(): void {
  const move = (step: number) => {
    const links = [...document.querySelectorAll<HTMLElement>("main tbody tr > td:first-child a")];
    const row = document.activeElement?.closest("tr");
    const now = links.findIndex((link) => link.closest("tr") === row);
    links[now < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, now + step))]?.focus();
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    "/": () => document.querySelector<HTMLInputElement>("main input[type=search]")?.focus(),
  });
}
