/** An answer of the server as state of a component. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type AnswerOf, ApiError, ask, type Given, type Operation } from "./client";

export interface Answer<Data> {
  data: Data | undefined;
  error: ApiError | undefined;
  /** Whether a newer answer is on its way; there may be an older one to show meanwhile. */
  isLoading: boolean;
  reload: () => void;
}

export interface AnswerOptions<Data> {
  /** Ask again after so many milliseconds, while the page is visible; 0 is never. */
  every?: number | ((data: Data | undefined) => number);
  /** Never ask again once there is an answer. */
  isFixed?: boolean;
  /** Show the last answer to another question until the new one is there, as when paging. */
  keeps?: boolean;
}

const KEPT = 60;
const cache = new Map<string, unknown>();
const asked = new Map<string, Promise<unknown>>();

/** Forget all answers, as after logging in or after a change. */
export function forget(): void {
  cache.clear();
}

function remember(key: string, data: unknown): void {
  cache.delete(key);
  cache.set(key, data);
  const oldest = cache.keys().next();
  if (cache.size > KEPT && !oldest.done) cache.delete(oldest.value);
}

/** Ask once for all who want the same at the same time. */
function share<Name extends Operation>(key: string, name: Name, given: Given<Name>): Promise<AnswerOf<Name>> {
  const found = asked.get(key) as Promise<AnswerOf<Name>> | undefined;
  if (found) return found;
  const made = ask(name, given).finally(() => asked.delete(key));
  asked.set(key, made);
  return made;
}

/** Ask the server, unless `given` is null: then nothing is wanted yet. */
export function useAnswer<Name extends Operation>(
  name: Name,
  given: Given<Name> | null,
  { every = 0, isFixed = false, keeps = false }: AnswerOptions<AnswerOf<Name>> = {},
): Answer<AnswerOf<Name>> {
  type Data = AnswerOf<Name>;
  const key = given === null ? null : `${name} ${JSON.stringify(given)}`;
  const [state, setState] = useState<{ key: string | null; turn: number; data?: Data; error?: ApiError }>({
    key: null,
    turn: 0,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(given);
  latest.current = given;

  useEffect(() => {
    if (key === null) return;
    if (isFixed && turn === 0 && cache.has(key)) {
      setState({ key, turn, data: cache.get(key) as Data });
      return;
    }
    let isWanted = true;
    share(key, name, latest.current as Given<Name>).then(
      (data) => {
        remember(key, data);
        if (isWanted) setState({ key, turn, data });
      },
      (error: unknown) => {
        if (isWanted)
          setState({ key, turn, error: error instanceof ApiError ? error : new ApiError(String(error), 0) });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [key, name, isFixed, turn]);

  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const isCurrent = key !== null && state.key === key;
  const cached = key === null ? undefined : (cache.get(key) as Data | undefined);
  const data = isCurrent ? state.data : (cached ?? (keeps ? state.data : undefined));

  const pause = typeof every === "function" ? every(data) : every;
  useEffect(() => {
    if (!pause) return;
    const timer = setInterval(() => document.visibilityState === "visible" && setTurn((count) => count + 1), pause);
    return () => clearInterval(timer);
  }, [pause]);

  return {
    data,
    error: isCurrent ? state.error : undefined,
    isLoading: key !== null && !(isCurrent && state.turn === turn),
    reload,
  };
}
