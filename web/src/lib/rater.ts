/** Under which name a person labels samples; kept in this browser alone. */
import { useSyncExternalStore } from "react";

const NAME = "assay-rater";
const listeners = new Set<() => void>();
let current: string | null = null;

function read(): string {
  if (current !== null) return current;
  try {
    current = localStorage.getItem(NAME) ?? "";
  } catch {
    current = ""; // a browser may refuse storage
  }
  return current;
}

function change(name: string): void {
  current = name;
  try {
    localStorage.setItem(NAME, name);
  } catch {
    // the name then holds for this page only
  }
  for (const tell of listeners) tell();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The name, the same in all places that ask for it, and a way to change it. */
export function useRater(): [string, (name: string) => void] {
  return [useSyncExternalStore(subscribe, read), change];
}
