import type { JudgeUsage, RunDetail } from "../../api/generated/schema";
import { Details } from "../../components/Details";
import { formatCount, formatNumber } from "../../lib/format";
import { t } from "../../lib/messages";

/** Whether there is anything to say beside the scores. */
export function hasAbout(run: RunDetail): boolean {
  return run.problems.length > 0 || run.judge !== null || Object.keys(run.settings).length > 0;
}

/** What became of records without scores; a system that was asked may have given no answer. */
export function unreadOf(run: RunDetail): string {
  const count = run.unread;
  if (typeof run.settings.target === "string")
    return count ? t("run.questionsWithoutAnswer", { count }) : t("run.allQuestionsWereAnswered");
  return count ? t("run.recordsUnread", { count }) : t("run.allRecordsWereRead");
}

/** What determined the scores, what the judge took, and what has no scores at all. */
export function RunAbout({ run }: { run: RunDetail }) {
  return (
    <div className="stack">
      {run.problems.length > 0 && (
        <section>
          <h2>{unreadOf(run)}</h2>
          <ul className="problems">
            {run.problems.map((problem) => (
              <li key={problem} dir="auto">
                {problem}
              </li>
            ))}
          </ul>
          {run.problems.length < run.unread && (
            <p className="muted small">{t("run.theFirstAreShown", { problems: run.problems.length })}</p>
          )}
        </section>
      )}
      {run.judge && <Judge usage={run.judge} />}
      {Object.keys(run.settings).length > 0 && (
        <section>
          <h2>{t("run.whatDeterminedTheScores")}</h2>
          <p className="muted small">{t("run.twoRunsCanBeComparedIf")}</p>
          <div className="small">
            <Details details={run.settings} />
          </div>
        </section>
      )}
    </div>
  );
}

/** What the language model behind the scores was asked, and what that took. */
function Judge({ usage }: { usage: JudgeUsage }) {
  const facts = [
    [t("run.calls"), formatCount(usage.calls)],
    [t("run.verdictsOfEarlierRuns"), formatCount(usage.cached)],
    [usage.is_usage_estimated ? t("run.tokensInEstimated") : t("run.tokensIn"), formatCount(usage.prompt_tokens)],
    [usage.is_usage_estimated ? t("run.tokensOutEstimated") : t("run.tokensOut"), formatCount(usage.completion_tokens)],
    [t("run.cost"), usage.usd === null ? t("run.priceUnknown") : t("run.usd", { usd: formatNumber(usage.usd, 4) })],
  ] as const;
  return (
    <section>
      <h2>{t("run.judgeUsage")}</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
