import { describe, expect, it } from "vitest";
import type { MetricChangeEntry } from "../api/generated/schema";
import { mergeSame } from "./changes";

const change = (metric: string, rest: Partial<MetricChangeEntry> = {}) =>
  ({
    metric,
    mean_a: 0.5,
    mean_b: 0.6,
    difference: 0.1,
    interval: [0, 0.2],
    pairs: 9,
    changed: 4,
    ...rest,
  }) as MetricChangeEntry;
const names = (changes: readonly MetricChangeEntry[]) =>
  mergeSame(changes).map(({ metric, also }) => [metric, ...also].join(" "));

describe("mergeSame", () => {
  it("puts metrics with the same figures together", () => {
    expect(names([change("a.x"), change("a.y"), change("a.z", { mean_b: 0.7 })])).toEqual(["a.x a.y", "a.z"]);
  });

  it("keeps apart what did not change, what has no score, and figures of the run", () => {
    expect(names([change("a.x", { changed: 0 }), change("a.y", { changed: 0 })])).toEqual(["a.x", "a.y"]);
    expect(names([change("a.x", { difference: null }), change("a.y", { difference: null })])).toEqual(["a.x", "a.y"]);
    expect(names([change("pass_rate"), change("a.x")])).toEqual(["pass_rate", "a.x"]);
  });
});
