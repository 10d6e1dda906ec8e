/** Several answers to one question. */
import type { QuestionAnswerEntry } from "../api/generated/schema";
import { t } from "./messages";

/** An answer, and how often it was given with the same verdict. */
export interface GivenAnswer {
  answer: QuestionAnswerEntry;
  times: number;
}

/** The different answers among some, those given most often first. */
export function differentAnswers(answers: readonly QuestionAnswerEntry[]): GivenAnswer[] {
  const found = new Map<string, GivenAnswer>();
  for (const answer of answers) {
    const said = JSON.stringify([answer.status, answer.response]);
    const before = found.get(said);
    found.set(said, before ? { ...before, times: before.times + 1 } : { answer, times: 1 });
  }
  return [...found.values()].sort((a, b) => b.times - a.times);
}

/** What a figure of repeats says: `pass@3` is the chance that one of three answers passes. */
export function repeatFigure(name: string): { label: string; note: string } {
  const [, kind, k] = /^pass([@^])(\d+)$/.exec(name) ?? [];
  if (!kind) return { label: t("run.consistency"), note: t("run.twoAnswersAgree") };
  const count = Number(k);
  if (count === 1) return { label: name, note: t("run.anAnswerPasses") };
  return { label: name, note: t(kind === "@" ? "run.oneOfAnswersPasses" : "run.allOfAnswersPass", { count }) };
}
