import type { JudgeUsage, RunDetail } from "../../api/generated/schema";
import { Details } from "../../components/Details";
import { formatCount, formatNumber, NOTHING } from "../../lib/format";

/** Whether there is anything to say beside the scores. */
export function hasAbout(run: RunDetail): boolean {
  return run.problems.length > 0 || run.judge !== null || Object.keys(run.settings).length > 0;
}

/** What became of records without scores; a system that was asked may have given no answer. */
export function unreadOf(run: RunDetail): string {
  const [records, question] = [formatCount(run.unread), run.unread === 1 ? "question" : "questions"];
  if (typeof run.settings.target === "string")
    return run.unread ? `${records} ${question} got no answer` : "All questions were answered";
  return run.unread
    ? `${records} ${run.unread === 1 ? "record" : "records"} could not be read`
    : "All records were read";
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
            <p className="muted small">The first {formatCount(run.problems.length)} are shown.</p>
          )}
        </section>
      )}
      {run.judge && <Judge usage={run.judge} />}
      {Object.keys(run.settings).length > 0 && (
        <section>
          <h2>What determined the scores</h2>
          <p className="muted small">Two runs can be compared if these and the metrics’ signatures are equal.</p>
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
    ["Calls", formatCount(usage.calls)],
    ["Verdicts of earlier runs", formatCount(usage.cached)],
    [usage.is_usage_estimated ? "Tokens in, estimated" : "Tokens in", formatCount(usage.prompt_tokens)],
    [usage.is_usage_estimated ? "Tokens out, estimated" : "Tokens out", formatCount(usage.completion_tokens)],
    ["Cost", usage.usd === null ? `${NOTHING}: the model’s price is not known` : `${formatNumber(usage.usd, 4)} USD`],
  ] as const;
  return (
    <section>
      <h2>Judge usage</h2>
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
