/** What a person has typed, kept while the page is open so that a look elsewhere loses nothing. */
import { type Dispatch, type SetStateAction, useCallback, useState } from "react";

const drafts = new Map<string, unknown>();

/** State that outlives its component; nothing of it is stored on the machine. */
export function useDraft<Value>(name: string, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState<Value>(() => (drafts.has(name) ? (drafts.get(name) as Value) : initial));
  const change = useCallback(
    (next: SetStateAction<Value>) =>
      setValue((before) => {
        const made = typeof next === "function" ? (next as (before: Value) => Value)(before) : next;
        drafts.set(name, made);
        return made;
      }),
    [name],
  );
  return [value, change];
}
