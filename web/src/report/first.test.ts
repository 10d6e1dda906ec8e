import { expect, it } from "vitest";
import type { RunDetail, RunMetric } from "../api/generated/schema";
import type { NextStep, ReportData, ReportTest } from "./data";
import { firstScreenOf, groupName, nextStep, otherSections } from "./first";

const RESULTS = {
  "m.gates": { state: "ok", verdict: "fail", explanation: "Wrong." },
  "m.informs": { state: "ok", verdict: "fail", explanation: "Odd." },
} as ReportTest["results"];

const test = (id: string, status: ReportTest["status"]) =>
  ({ test_id: id, status, sample: { id, response: id === "4" ? "3" : id }, results: RESULTS }) as ReportTest;

const DATA = {
  version: "1",
  run: { name: "a" },
  first: { command: "", profile: "", worst_group: null, next: { kind: "failing", samples: 4, cause: "", least: null } },
  metrics: [{ metric: "m.gates", gates: true } as RunMetric, { metric: "m.informs", gates: false } as RunMetric],
  tests: [test("1", "failed"), test("2", "passed"), ...["3", "4", "5"].map((id) => test(id, "failed"))],
} as ReportData;

it("shows the first answers that fail, each once, with what fails them", () => {
  const { lookAt } = firstScreenOf(DATA);
  expect(lookAt.map((entry) => entry.test.test_id)).toEqual(["1", "3", "5"]);
  expect(lookAt[0]!.reasons.map((reason) => [reason.metric, reason.result.explanation])).toEqual([
    ["m.gates", "Wrong."],
  ]);
});

it.each([
  [{ kind: "unread", samples: 1 }, "See why 1 record could not be used before you trust the figures."],
  [{ kind: "unread", samples: 1200 }, "See why 1,200 records could not be used before you trust the figures."],
  [{ kind: "unjudged" }, "Choose metrics by name or set a threshold: none of these decides passes."],
  [{ kind: "cause", cause: "m.gates" }, "Read the samples that fail, the worst first; most fail M.GATES."],
  [{ kind: "failing" }, "Read the samples that fail, the worst first."],
  [{ kind: "unsure", samples: 1 }, "Read and label the unsure sample; assay calibrate learns a threshold from labels."],
  [{ kind: "unsure" }, "Read and label the 3 unsure samples; assay calibrate learns a threshold from labels."],
  [
    { kind: "gate", samples: 10, least: 0.7246 },
    "Gate the build with --fail-under 'pass_rate>=0.72': 10 samples prove no more than 72.5%.",
  ],
] as [Partial<NextStep>, string][])("says what to do next: %o", (step, words) => {
  const whole = { kind: "failing", samples: 3, cause: "", least: null, ...step } as NextStep;
  expect(nextStep(whole, (metric) => metric.toUpperCase())).toBe(words);
});

it("prints the sections that the screen does not show", () => {
  const run = { tag_groups: [], language_groups: [{}] } as unknown as RunDetail;
  expect(otherSections("metrics", run, true)).toEqual(["samples", "groups", "about"]);
  expect(otherSections("samples", { ...run, language_groups: [] }, false)).toEqual(["metrics"]);
  const repeated = { ...run, repeats: { questions: 2 } } as RunDetail;
  expect(otherSections("metrics", repeated, false)).toEqual(["samples", "flaky", "groups"]);
});

it("names a group by its kind", () => {
  expect(groupName({ kind: "tag", name: "fees" })).toBe("tag fees");
  expect(groupName({ kind: "language", name: "" })).toBe("language (none)");
});
