import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JobEntry } from "./generated/schema";
import { hasEnded, type WatchedJob, watchJob } from "./use-job";

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static made: FakeSource[] = [];
  readyState = 1;

  constructor(readonly address: string) {
    super();
    FakeSource.made.push(this);
  }

  close() {
    this.readyState = FakeSource.CLOSED;
  }

  tell(name: string, job: Partial<JobEntry>) {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(job) }));
  }
}

const told: Partial<WatchedJob>[] = [];
const answers: Partial<JobEntry>[] = [];

beforeEach(() => {
  told.length = answers.length = FakeSource.made.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeSource);
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(answers.shift())));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("watchJob", () => {
  it("tells what the server tells, and stops at the end", () => {
    watchJob("a1", (found) => told.push(found));
    const source = FakeSource.made[0]!;
    expect(source.address).toBe("./v1/jobs/a1/events");
    source.tell("progress", { status: "running", done: 1 });
    source.tell("end", { status: "done", done: 2 });
    expect(told.map(({ job, isLive }) => [job?.done, isLive])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(source.readyState).toBe(FakeSource.CLOSED);
  });

  it("asks where events do not come through, until the job has ended", async () => {
    answers.push({ status: "running", done: 1 }, { status: "failed", done: 1 });
    watchJob("a1", (found) => told.push(found));
    const source = FakeSource.made[0]!;
    source.dispatchEvent(new Event("error"));
    expect(source.readyState).not.toBe(FakeSource.CLOSED);
    source.dispatchEvent(new Event("error"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told.map(({ job }) => job?.status)).toEqual(["running", "failed"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("says nothing more once it is stopped", async () => {
    const stop = watchJob("a1", (found) => told.push(found));
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toEqual([]);
  });
});

describe("hasEnded", () => {
  it("knows the states in which nothing more happens", () => {
    expect(
      (["queued", "running", "done", "failed", "cancelled"] as const).map((status) => hasEnded({ status })),
    ).toEqual([false, false, true, true, true]);
  });
});
