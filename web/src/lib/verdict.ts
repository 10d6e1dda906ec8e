/** A run in one sentence, as the terminal says it. */
import type { RunDetail } from "../api/generated/schema";
import { formatCount } from "./format";

type Judged = Pick<RunDetail, "status" | "tests" | "judged" | "passed" | "failed" | "unsure">;

export function verdictOf(run: Judged): string {
  if (run.status === "running") return `${formatCount(run.tests)} samples so far.`;
  if (run.tests === 0) return "No sample could be read.";
  if (run.judged === 0)
    return `None of ${formatCount(run.tests)} samples was judged: no metric of the run decides passes.`;
  const rest = run.judged - run.passed;
  const good = `${formatCount(run.passed)} of ${formatCount(run.judged)} good`;
  const open = run.tests - run.judged;
  return [
    rest === 0 ? `${good}.` : `${good}; ${formatCount(rest)} to look at.`,
    open > 0 ? `${formatCount(open)} not judged.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
