/** A run in one sentence, as the terminal says it. */
import type { RunDetail } from "../api/generated/schema";
import { t } from "./messages";

type Judged = Pick<RunDetail, "status" | "tests" | "judged" | "passed" | "failed" | "unsure">;

export function verdictOf(run: Judged): string {
  if (run.status === "running") return t("shared.samplesSoFar", { tests: run.tests });
  if (run.tests === 0) return t("shared.noSampleCouldBeRead");
  if (run.judged === 0) return t("shared.noneOfSamplesWasJudgedNoMetric", { tests: run.tests });
  const rest = run.failed + run.unsure;
  const skipped = run.judged - run.passed - rest;
  const open = run.tests - run.judged;
  const judged = [
    t("shared.ofGood", { passed: run.passed, judged: run.judged }),
    rest > 0 ? t("shared.toLookAt", { rest }) : "",
    skipped > 0 ? t("shared.skippedCount", { skipped }) : "",
  ];
  return [`${judged.filter(Boolean).join(t("shared.between"))}.`, open > 0 ? t("shared.notJudged", { open }) : ""]
    .filter(Boolean)
    .join(" ");
}
