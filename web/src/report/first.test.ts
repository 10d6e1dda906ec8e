import { expect, it } from "vitest";
import type { RunDetail, RunMetric } from "../api/generated/schema";
import type { ReportData, ReportTest } from "./data";
import { firstScreenOf, groupName, otherSections } from "./first";

const RESULTS = {
  "m.gates": { state: "ok", verdict: "fail", explanation: "Wrong." },
  "m.informs": { state: "ok", verdict: "fail", explanation: "Odd." },
} as ReportTest["results"];

const test = (id: string, status: ReportTest["status"]) =>
  ({ test_id: id, status, sample: { id, response: id === "4" ? "3" : id }, results: RESULTS }) as ReportTest;

const DATA = {
  version: "1",
  run: { name: "a" },
  first: { command: "", profile: "", worst_group: null, next: "" },
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

it("prints the sections that the screen does not show", () => {
  const run = { tag_groups: [], language_groups: [{}] } as unknown as RunDetail;
  expect(otherSections("metrics", run, true)).toEqual(["samples", "groups", "about"]);
  expect(otherSections("samples", { ...run, language_groups: [] }, false)).toEqual(["metrics"]);
});

it("names a group by its kind", () => {
  expect(groupName({ kind: "tag", name: "fees" })).toBe("tag fees");
  expect(groupName({ kind: "language", name: "" })).toBe("language (none)");
});
