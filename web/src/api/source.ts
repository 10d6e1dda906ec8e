/** Where answers come from: a server that is asked, or the data that a report carries. */
import type { AnswerOf, Given, Operation } from "./client";

export type Answerer = <Name extends Operation>(
  name: Name,
  given: Given<Name>,
  signal?: AbortSignal,
) => Promise<AnswerOf<Name>>;

/** What a report is about; there is none where a server is asked. */
export interface Report {
  /** The run's name. */
  run: string;
  /** Samples of the whole run. */
  tests: number;
  /** The worst of them, which are in the report. */
  shown: number;
  /** Ids of those that are not whole. */
  cut: ReadonlySet<string>;
  /** The version of Assay that wrote it. */
  version: string;
}

let current: { report: Report | null; answer: Answerer | null } = { report: null, answer: null };

/** From now on, answer from a report instead of asking a server. */
export function openReport(report: Report, answer: Answerer): void {
  current = { report, answer };
}

/** The report that is shown, else null; a page asks it for what makes no sense without a server. */
export function useReport(): Report | null {
  return current.report;
}

/** What answers instead of the server, if anything does. */
export function otherAnswerer(): Answerer | null {
  return current.answer;
}
