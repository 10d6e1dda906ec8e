/** What Python puts into a report (`assay/report/html_data.py`), and how to read it. */
import type {
  FailurePattern,
  FlakyQuestionEntry,
  MetricPage,
  ResultEntry,
  RunDetail,
  RunMetric,
  SampleEntry,
  TestDetail,
} from "../api/generated/schema";
import type { Report } from "../api/source";
import { t } from "../lib/messages";

/** A result without what stands in the run's metrics and without fields that say nothing. */
export type SparseResult = Pick<ResultEntry, "state"> & Partial<ResultEntry>;

/** A sample with its scores; absent fields of the sample are left out. */
export interface ReportTest
  extends Pick<TestDetail, "test_id" | "status" | "score" | "passed" | "verdict" | "failure"> {
  language: string;
  /** Whether long texts or lists in it are cut. */
  is_cut?: boolean;
  sample: Partial<SampleEntry> & Pick<SampleEntry, "id">;
  results: { [metric: string]: SparseResult };
}

/** What to do next; `samples` are those that it is about, `least` is the pass rate that a gate can ask for. */
export interface NextStep {
  kind: "unread" | "unjudged" | "cause" | "failing" | "unsure" | "gate";
  samples: number;
  /** The metric that most failing samples fail. */
  cause: string;
  least: number | null;
}

/** What stands on the first screen beside the run's own figures. */
export interface First {
  /** The command that made the report; empty where there was none. */
  command: string;
  /** What chose the metrics; empty where people named them. */
  profile: string;
  worst_group: { kind: string; name: string; passed: number; judged: number; interval: [number, number] | null } | null;
  next: NextStep;
}

export interface ReportData {
  version: string;
  first: First;
  run: RunDetail;
  metrics: RunMetric[];
  /** The metrics of the run that were installed. */
  registry: MetricPage[];
  /** The worst first. */
  tests: ReportTest[];
  patterns: FailurePattern[];
  /** Questions some of whose answers pass and some do not, the least consistent first. */
  flaky: Pick<FlakyQuestionEntry, "question" | "judged" | "passed">[];
  /** A sample without anything: what absent fields are filled with. */
  blank: SampleEntry;
}

/** The report's data, out of the page that carries it. */
export function readData(page: Document): ReportData {
  const holder = page.getElementById("report-data");
  if (!holder?.textContent) throw new Error(t("report.thisFileContainsNoReportIt"));
  return JSON.parse(holder.textContent) as ReportData;
}

/** What the pages want to know of the report itself. */
export function factsOf({ run, tests, version }: ReportData): Report {
  const cut = tests.filter((test) => test.is_cut).map((test) => test.test_id);
  return { run: run.name, tests: run.tests, shown: tests.length, cut: new Set(cut), version };
}
