/** What a report says on its first screen. */
import type { ResultEntry, RunDetail } from "../api/generated/schema";
import { formatShare } from "../lib/format";
import { t } from "../lib/messages";
import { whole } from "./answers";
import type { NextStep, ReportData, ReportTest } from "./data";

/** Samples that the first screen shows. */
const SHOWN = 3;

/** A sample to look at, with the results that fail it. */
export interface LookAt {
  test: ReportTest;
  reasons: { metric: string; result: ResultEntry }[];
}

export interface FirstScreen extends Pick<ReportData, "version" | "run" | "first"> {
  lookAt: LookAt[];
}

/** The first screen of a report; the samples that fail come with their reasons, the worst first. */
export function firstScreenOf({ version, run, first, metrics, tests }: ReportData): FirstScreen {
  const byId = new Map(metrics.map((entry) => [entry.metric, entry]));
  const reasonsOf = (test: ReportTest) =>
    Object.entries(test.results)
      .map(([metric, result]) => ({ metric, result: whole(result, byId.get(metric)) }))
      .filter(({ result }) => result.gates && (result.verdict === "fail" || result.state === "error"));
  const failing = new Map<string, ReportTest>(); // the same answer to the same query is shown once
  for (const test of tests.filter(({ status }) => status === "failed")) {
    const said = JSON.stringify([test.sample.query, test.sample.response]);
    if (!failing.has(said)) failing.set(said, test);
    if (failing.size === SHOWN) break;
  }
  const lookAt = [...failing.values()].map((test) => ({ test, reasons: reasonsOf(test).slice(0, SHOWN) }));
  return { version, run, first, lookAt };
}

let current: FirstScreen | null = null;

/** From now on, this is the report that is shown. */
export function openFirstScreen(screen: FirstScreen): void {
  current = screen;
}

export function useFirstScreen(): FirstScreen {
  if (!current) throw new Error(t("report.noReportIsOpen"));
  return current;
}

/** Where a group is, in words: "tag billing". */
export function groupName({ kind, name }: { kind: string; name: string }): string {
  return t(kind === "tag" ? "report.groupByTag" : "report.groupByLanguage", { name: name || t("run.none") });
}

/** What to do next, in a sentence. */
export function nextStep({ kind, samples, cause, least }: NextStep, label: (metric: string) => string): string {
  const gate = Math.floor(100 * (least ?? 0)) / 100;
  return t(`report.next.${kind}`, {
    samples,
    cause: cause && label(cause),
    option: `--fail-under 'pass_rate>=${gate}'`,
    least: formatShare(least),
  });
}

/** The sections of a report that are printed beside the one on the screen. */
export function otherSections(shown: string, run: RunDetail, hasAbout: boolean): string[] {
  const flaky = run.repeats ? ["flaky"] : [];
  const all = [
    "metrics",
    "samples",
    ...flaky,
    ...(run.tag_groups.length || run.language_groups.length ? ["groups"] : []),
  ];
  return [...all, ...(hasAbout ? ["about"] : [])].filter((section) => section !== shown);
}
