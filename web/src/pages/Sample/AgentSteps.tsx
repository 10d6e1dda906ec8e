import type { SampleEntry, SpanEntry } from "../../api/generated/schema";
import { LongList } from "../../components/ui/LongList";
import { LongText } from "../../components/ui/LongText";
import { t } from "../../lib/messages";

interface AgentStepsProps {
  sample: SampleEntry;
  evidenceOf: (field: string) => SpanEntry[];
}

/** What an agent did: its steps, the tools it used and how it called them. */
export function AgentSteps({ sample, evidenceOf }: AgentStepsProps) {
  const {
    steps,
    tools_used: used,
    tools_succeeded: succeeded,
    tool_calls: calls,
    expected_tool_calls: expected,
  } = sample;
  if (!steps?.length && !used?.length && !calls?.length && !expected?.length) return null;
  return (
    <section>
      <h2>{t("sample.agent")}</h2>
      {steps && steps.length > 0 && (
        <LongList entries={steps}>
          {(shown) => (
            <ol className="steps">
              {shown.map((step, index) => (
                <li key={index}>
                  <LongText text={step} evidence={evidenceOf(`steps[${index}]`)} />
                </li>
              ))}
            </ol>
          )}
        </LongList>
      )}
      {used && used.length > 0 && (
        <LongList entries={used}>
          {(shown) => (
            <ul className="tools">
              {shown.map((tool, index) => (
                <li key={index}>
                  <LongText text={tool} evidence={evidenceOf(`tools_used[${index}]`)} />
                  {succeeded && (
                    <span className={succeeded.includes(tool) ? "tone-good tone-text tiny" : "tone-bad tone-text tiny"}>
                      {succeeded.includes(tool) ? t("sample.succeeded") : t("sample.didNotSucceed")}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </LongList>
      )}
      <div className="columns">
        <Calls title={t("sample.toolCalls")} calls={calls} evidenceOf={evidenceOf} />
        <Calls title={t("sample.expectedToolCalls")} calls={expected} />
      </div>
    </section>
  );
}

/** A short call stays on one line. */
function written(call: unknown): string {
  const line = JSON.stringify(call);
  return line.length <= 100 ? line : JSON.stringify(call, null, 1);
}

interface CallsProps {
  title: string;
  calls: readonly unknown[] | null | undefined;
  evidenceOf?: AgentStepsProps["evidenceOf"];
}

/** The calls in their order; those that a metric names as evidence with its reasons. */
function Calls({ title, calls, evidenceOf }: CallsProps) {
  if (!calls?.length) return null;
  return (
    <div>
      <h3>{title}</h3>
      <LongList entries={calls}>
        {(shown) => (
          <ol className="calls">
            {shown.map((call, index) => (
              <li key={index}>
                <pre className="raw" dir="auto" tabIndex={0}>
                  {written(call)}
                </pre>
                {evidenceOf?.(`tool_calls[${index}]`).map((span, place) => (
                  <span key={place} className="tone-bad tone-text tiny">
                    {span.label}
                  </span>
                ))}
              </li>
            ))}
          </ol>
        )}
      </LongList>
    </div>
  );
}
