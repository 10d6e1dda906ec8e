import { describe, expect, it } from "vitest";
import { verdictOf } from "./verdict";

const run = { status: "finished", tests: 5, judged: 5, passed: 3, failed: 2, unsure: 0 };

describe("verdictOf", () => {
  it.each([
    [run, "3 of 5 good; 2 to look at."],
    [{ ...run, passed: 5, failed: 0 }, "5 of 5 good."],
    [{ ...run, judged: 4, failed: 0, unsure: 1 }, "3 of 4 good; 1 to look at. 1 not judged."],
    [{ ...run, failed: 1 }, "3 of 5 good; 1 to look at; 1 skipped."],
    [{ ...run, judged: 0, passed: 0, failed: 0 }, "None of 5 samples was judged: no metric of the run decides passes."],
    [{ ...run, tests: 0, judged: 0 }, "No sample could be read."],
    [{ ...run, status: "running" }, "5 samples so far."],
  ])("says what came of a run", (given, words) => {
    expect(verdictOf(given)).toBe(words);
  });
});
