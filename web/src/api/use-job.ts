/** A job as it goes on: told by the server, or asked for where events do not come through. */
import { useEffect, useState } from "react";
import { ApiError, addressOf, ask } from "./client";
import type { JobEntry } from "./generated/schema";

const POLL = 2000;
/** Failures of the event stream in a row after which the job is asked for instead. */
const TRIES = 2;

export const hasEnded = (job: Pick<JobEntry, "status">): boolean =>
  job.status === "done" || job.status === "failed" || job.status === "cancelled";

export interface WatchedJob {
  job: JobEntry | undefined;
  problem: string;
  /** Whether the server tells of changes by itself. */
  isLive: boolean;
}

/** Watch a job until it has ended; `turn` is raised to watch again, as after resuming. */
export function useJob(id: string | undefined, turn = 0): WatchedJob {
  const [state, setState] = useState<WatchedJob & { id?: string }>({ job: undefined, problem: "", isLive: false });
  useEffect(() => {
    if (!id) return;
    return watchJob(id, (found) =>
      setState((before) => ({
        ...(before.id === id ? before : { job: undefined, problem: "", isLive: false }),
        ...found,
        id,
      })),
    );
  }, [id, turn]);
  return state.id === id ? state : { job: undefined, problem: "", isLive: false };
}

/** Tell what is known of a job now and whenever it changes; gives a way to stop. */
export function watchJob(id: string, tell: (found: Partial<WatchedJob>) => void): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const source = typeof EventSource === "undefined" ? null : new EventSource(addressOf("watch_job", { job_id: id }));
  const stop = () => {
    isOver = true;
    source?.close();
    clearTimeout(timer);
  };
  const take = (job: JobEntry, isLive: boolean) => {
    tell({ job, problem: "", isLive: isLive && !hasEnded(job) });
    if (hasEnded(job)) stop();
  };
  const poll = async () => {
    if (isOver) return;
    try {
      const job = await ask("get_job", { job_id: id });
      if (!isOver) take(job, false);
    } catch (error) {
      if (isOver) return;
      tell({ problem: error instanceof Error ? error.message : String(error), isLive: false });
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) stop();
    }
    if (!isOver) timer = setTimeout(poll, POLL);
  };
  const hear = (event: MessageEvent<string>) => {
    failures = 0;
    take(JSON.parse(event.data) as JobEntry, true);
  };
  source?.addEventListener("progress", hear);
  source?.addEventListener("end", hear);
  source?.addEventListener("error", () => {
    failures += 1;
    if (source.readyState !== EventSource.CLOSED && failures < TRIES) return;
    source.close();
    clearTimeout(timer);
    void poll();
  });
  if (!source) void poll();
  return stop;
}
