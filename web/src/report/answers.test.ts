import { describe, expect, it } from "vitest";
import type { MetricPage, RunDetail, RunMetric, SampleEntry } from "../api/generated/schema";
import { answererOf } from "./answers";
import { factsOf, type ReportData, type ReportTest, readData } from "./data";

const BLANK = { id: "", query: null, response: null, contexts: [], tags: [], metadata: {} } as unknown as SampleEntry;

function test(id: string, score: number | null, fields: Partial<ReportTest> = {}): ReportTest {
  return {
    test_id: id,
    status: "failed",
    score,
    passed: false,
    verdict: "fail",
    failure: null,
    language: "en",
    sample: { id: `s-${id}` },
    results: {},
    ...fields,
  };
}

const TESTS = [
  test("3", 0.1, {
    sample: { id: "s-3", query: "When?", response: "x".repeat(500), tags: ["a"] },
    results: { "m.x": { state: "ok", value: 4, quality: 0.9, explanation: "Fine." } },
  }),
  test("1", 0.4, {
    status: "passed",
    passed: true,
    verdict: "pass",
    language: "ar",
    results: { "m.x": { state: "missing", explanation: "No query." } },
  }),
  test("2", 0.6, {
    is_cut: true,
    results: {
      "m.x": { state: "ok", value: 1, quality: 0.2, evidence: [{ field: "response", start: 0, end: 1, label: "" }] },
    },
  }),
];

const DATA: ReportData = {
  version: "1.2.3",
  first: {
    command: "",
    profile: "auto",
    worst_group: null,
    next: { kind: "failing", samples: 2, cause: "", least: null },
  },
  run: { name: "monday", created: "", tests: 40 } as RunDetail,
  metrics: [{ metric: "m.x", threshold: 3, signature: "m.x|v:1", gates: true } as RunMetric],
  registry: [{ id: "m.x", summary: "How x." } as MetricPage],
  tests: TESTS,
  patterns: [],
  flaky: [],
  blank: BLANK,
};

const ask = answererOf(DATA);
const ids = async (given: object) => (await ask("list_tests", given)).items.map((entry) => entry.test_id);

describe("a list of samples", () => {
  it("has the worst first, overall or by a metric; those without a score of it last", async () => {
    expect(await ids({})).toEqual(["3", "1", "2"]);
    expect(await ids({ metric: "m.x" })).toEqual(["2", "3", "1"]);
  });

  it("is filtered as on the server", async () => {
    expect(await ids({ status: "passed" })).toEqual(["1"]);
    expect(await ids({ language: "ar" })).toEqual(["1"]);
    expect(await ids({ tag: "a" })).toEqual(["3"]);
    expect(await ids({ text: "WHEN" })).toEqual(["3"]);
    expect(await ids({ metric: "m.y" })).toEqual([]);
    expect((await ask("list_failed_tests", {})).total).toBe(2);
  });

  it("is paged and cuts long texts", async () => {
    const page = await ask("list_tests", { limit: 1, offset: 1, metric: "m.x" });
    expect(page).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      items: [{ test_id: "3", value: 4, explanation: "Fine.", run: "monday" }],
    });
    expect(page.items[0]!.response).toHaveLength(400);
  });
});

it("has the answers to a flaky question in the order in which they were given", async () => {
  const answer = (id: string, response: string, question: string) =>
    test(id, 0.5, { sample: { id: `s-${id}`, query: "Where?", response, metadata: { repeat_of: question } } });
  const data = {
    ...DATA,
    flaky: [
      { question: "q", judged: 3, passed: 1 },
      { question: "p", judged: 2, passed: 1 },
    ],
    tests: [answer("12", "Rome", "q"), answer("3", "Paris", "q"), answer("1", "Oslo", "p"), test("2", 0.1)],
  };
  const page = await answererOf(data)("list_flaky_questions", { name: "monday", limit: 1 });
  expect(page).toMatchObject({ total: 2, items: [{ question: "q", query: "Where?", judged: 3, passed: 1 }] });
  expect(page.items[0]!.answers.map((one) => [one.test_id, one.response])).toEqual([
    ["3", "Paris"],
    ["12", "Rome"],
  ]);
});

it("fills in what is left out of a sample and its results", async () => {
  const found = await ask("get_test", { test_id: "2" });
  expect(found.sample).toEqual({ ...BLANK, id: "s-2" });
  expect(found.results["m.x"]).toEqual({
    value: 1,
    quality: 0.2,
    passed: null,
    verdict: null,
    gates: true,
    threshold: 3,
    state: "ok",
    explanation: "",
    evidence: [{ field: "response", start: 0, end: 1, label: "" }],
    details: {},
    signature: "m.x|v:1",
  });
});

it("says what a report does not have", async () => {
  await expect(ask("get_test", { test_id: "9" })).rejects.toMatchObject({
    status: 404,
    message: "There is no sample '9' in this report.",
  });
  await expect(ask("get_metric", { metric_id: "m.y" })).rejects.toMatchObject({ status: 404 });
  await expect(ask("get_me", {})).rejects.toMatchObject({ status: 404, needsKey: false });
});

it("knows how much of the run it holds", () => {
  expect(factsOf(DATA)).toEqual({ run: "monday", tests: 40, shown: 3, cut: new Set(["2"]), version: "1.2.3" });
});

it("says when a page has no data", () => {
  expect(() => readData({ getElementById: () => null } as unknown as Document)).toThrow("contains no report");
});
