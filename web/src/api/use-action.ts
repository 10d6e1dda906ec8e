/** Something that a person makes the server do, as state of a component. */
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "../lib/messages";
import { ApiError } from "./client";

export interface Action<Args extends unknown[], Data> {
  /** Gives the answer, or undefined when it failed: the problem is then said. */
  run: (...args: Args) => Promise<Data | undefined>;
  isBusy: boolean;
  /** What went wrong the last time, in words for people; empty when nothing did. */
  problem: string;
  /** The HTTP status of the problem; 0 when there is none. */
  status: number;
  clear: () => void;
}

export function useAction<Args extends unknown[], Data>(work: (...args: Args) => Promise<Data>): Action<Args, Data> {
  const [state, setState] = useState({ isBusy: false, problem: "", status: 0 });
  const latest = useRef(work);
  latest.current = work;
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run = useCallback(async (...args: Args) => {
    const tell = (next: typeof state) => isShown.current && setState(next);
    tell({ isBusy: true, problem: "", status: 0 });
    try {
      const data = await latest.current(...args);
      tell({ isBusy: false, problem: "", status: 0 });
      return data;
    } catch (error) {
      tell({ isBusy: false, problem: wordsOf(error), status: error instanceof ApiError ? error.status : 0 });
      return undefined;
    }
  }, []);
  const clear = useCallback(() => setState({ isBusy: false, problem: "", status: 0 }), []);
  return { run, clear, ...state };
}

/** A failure in words. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 403)
    return t("shared.askTheServersAdministratorForAKey", { message: error.message });
  return error instanceof Error ? error.message : String(error);
}
