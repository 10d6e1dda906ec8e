/** Answers a report gives itself: those of the server, from the data in the page. */
import { type AnswerOf, ApiError, type Given, type Operation } from "../api/client";
import type {
  PageOfFlakyQuestionEntry,
  PageOfTestEntry,
  ResultEntry,
  RunMetric,
  TestDetail,
  TestEntry,
} from "../api/generated/schema";
import type { Answerer } from "../api/source";
import { t } from "../lib/messages";
import type { ReportData, ReportTest, SparseResult } from "./data";

type Answers = { [Name in Operation]?: (given: Given<Name>) => AnswerOf<Name> };

/** Characters of a text that a list shows, as on the server. */
const SHOWN_TEXT = 400;
const PAGE = 100;

/** What answers the pages of a report. */
export function answererOf(data: ReportData): Answerer {
  const answers = answersOf(data);
  return async (name, given) => {
    const answer = answers[name];
    if (!answer) throw new ApiError(t("report.aReportDoesNotContainThis"), 404);
    return answer(given);
  };
}

function answersOf(data: ReportData): Answers {
  const metrics = new Map(data.metrics.map((entry) => [entry.metric, entry]));
  const pages = new Map(data.registry.map((page) => [page.id, page]));
  const tests = new Map(data.tests.map((test) => [test.test_id, test]));
  return {
    get_run: () => data.run,
    list_run_metrics: () => data.metrics,
    list_metrics: () => data.registry,
    get_metric: ({ metric_id: id }) => known(pages.get(id), t("report.thereIsNoMetricInThisReport", { id })),
    list_tests: (given) => list(data, given),
    list_failed_tests: (given) => list(data, { ...given, status: "failed" }),
    list_failure_patterns: () => data.patterns,
    list_flaky_questions: (given) => flaky(data, given),
    get_test: ({ test_id: id }) =>
      detail(data, metrics, known(tests.get(id), t("report.thereIsNoSampleInThisReport", { id }))),
  };
}

function known<Found>(found: Found | undefined, words: string): Found {
  if (found === undefined) throw new ApiError(words, 404);
  return found;
}

/** A page of the samples that fit, the worst first. */
function list(data: ReportData, given: Given<"list_tests">): PageOfTestEntry {
  const { metric, limit = PAGE, offset = 0 } = given;
  const fitting = data.tests.filter((test) => fits(test, given));
  const listed = metric ? fitting.toSorted((a, b) => quality(a, metric) - quality(b, metric)) : fitting;
  return {
    items: listed.slice(offset, offset + limit).map((test) => entry(data, test, metric)),
    total: listed.length,
    limit,
    offset,
  };
}

/** A page of the flaky questions, with those of their answers that the report holds. */
function flaky(data: ReportData, given: Given<"list_flaky_questions">): PageOfFlakyQuestionEntry {
  const { limit = PAGE, offset = 0 } = given;
  const items = data.flaky.slice(offset, offset + limit).map((one) => {
    const tests = data.tests
      .filter((test) => test.sample.metadata?.repeat_of === one.question)
      .sort((a, b) => Number(a.test_id) - Number(b.test_id));
    return {
      ...one,
      query: cut(tests[0]?.sample.query),
      answers: tests.map(({ test_id, status, score, sample }) => ({
        ...{ test_id, test_name: sample.id, status, score },
        response: cut(sample.response),
      })),
    };
  });
  return { items, total: data.flaky.length, limit, offset };
}

function fits(test: ReportTest, { status, language, tag, text, metric, fails }: Given<"list_tests">): boolean {
  const words = text?.toLowerCase();
  return (
    (!status || test.status === status) &&
    (!language || test.language === language) &&
    (!tag || (test.sample.tags ?? []).includes(tag)) &&
    (!metric || metric in test.results) &&
    (!fails || (test.results[fails]?.verdict === "fail" && (test.results[fails]?.gates ?? true))) &&
    (!words || textsOf(test.sample).some((part) => part.toLowerCase().includes(words)))
  );
}

/** All texts inside a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(textsOf) : [];
}

/** What a list is ordered by; results without a quality stand last. */
function quality(test: ReportTest, metric: string): number {
  return test.results[metric]?.quality ?? 2;
}

function entry(data: ReportData, test: ReportTest, metric: string | null | undefined): TestEntry {
  const result = metric ? test.results[metric] : undefined;
  return {
    test_id: test.test_id,
    run: data.run.name,
    test_name: test.sample.id,
    timestamp: data.run.created,
    status: test.status,
    duration: test.sample.duration ?? null,
    language: test.language,
    test_type: "evaluation",
    error_message: null,
    score: test.score,
    query: cut(test.sample.query),
    response: cut(test.sample.response),
    value: result?.value ?? null,
    state: result?.state ?? null,
    explanation: cut(result?.explanation),
    fails: Object.entries(test.results)
      .filter(([id, own]) => own.verdict === "fail" && data.run.gating.includes(id))
      .map(([id]) => id),
    found_in: [],
  };
}

function cut(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.length <= SHOWN_TEXT
    ? (text ?? null)
    : `${text.slice(0, SHOWN_TEXT - 1)}…`;
}

function detail(data: ReportData, metrics: ReadonlyMap<string, RunMetric>, test: ReportTest): TestDetail {
  const results = Object.entries(test.results).map(([id, result]) => [id, whole(result, metrics.get(id))]);
  return {
    test_id: test.test_id,
    run: data.run.name,
    timestamp: data.run.created,
    status: test.status,
    score: test.score,
    passed: test.passed,
    verdict: test.verdict,
    sample: { ...data.blank, ...test.sample },
    results: Object.fromEntries(results),
    failure: test.failure,
  };
}

/** A result with all its fields; threshold, signature and whether it decides are the run's. */
export function whole(result: SparseResult, metric: RunMetric | undefined): ResultEntry {
  return {
    value: null,
    quality: null,
    passed: null,
    verdict: null,
    gates: metric?.gates ?? true,
    threshold: metric?.threshold ?? null,
    explanation: "",
    evidence: [],
    details: {},
    signature: metric?.signature ?? "",
    ...result,
  };
}
