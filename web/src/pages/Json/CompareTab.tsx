import { type FormEvent, useRef, useState } from "react";
import { ask } from "../../api/client";
import type { JsonAnswerEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { Button } from "../../components/ui/Button";
import { Notice } from "../../components/ui/Notice";
import { useDraft } from "../../lib/draft";
import { rich, t } from "../../lib/messages";
import { withStrategy } from "../../lib/strategies";
import { href, useQuery } from "../../lib/url";
import { Document } from "./Document";
import { jsonProblem } from "./documents";
import { EXAMPLE } from "./example";
import { FieldTable } from "./FieldTable";
import { OptionsForm } from "./OptionsForm";
import { bodyOf, DEFAULTS, problemsOf } from "./options";
import { Scores } from "./Scores";

/** One output beside its ground truth. */
export function CompareTab() {
  const [query] = useQuery();
  const strategies = query.strategies || null;
  const [truth, setTruth] = useDraft("json-truth", "");
  const [output, setOutput] = useDraft("json-output", "");
  const [options, setOptions] = useDraft("json-options", DEFAULTS);
  const [result, setResult] = useDraft<JsonAnswerEntry | null>("json-result", null);
  const [isTried, setTried] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const set = useAnswer("get_strategies", strategies ? { name: strategies } : null);
  const compare = useAction((ground_truth: string, found: string) =>
    ask("compare_json", {
      body: { ground_truth, output: found, strategies, options: bodyOf(options), repair: options.repair },
    }),
  );
  const change = useAction((field: string, strategy: string) =>
    ask("change_strategy", {
      name: strategies!,
      body: { field, strategy: withStrategy(set.data?.strategies[field], strategy) },
    }),
  );
  const problems = { truth: jsonProblem(truth), output: output.trim() ? "" : t("json.pasteAnOutputOrOpenA") };
  const work = async (ground_truth = truth, found = output) => {
    const answer = await compare.run(ground_truth, found);
    if (answer) setResult(answer);
    return answer;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problems.truth || problems.output || Object.keys(problemsOf(options)).length) return;
    if (await work()) requestAnimationFrame(() => heading.current?.focus());
  };
  return (
    <div className="stack">
      <form className="form" onSubmit={submit} noValidate>
        <div className="columns">
          <Document
            label={t("json.expectedDocument")}
            text={truth}
            onChange={setTruth}
            problem={isTried ? problems.truth : ""}
          />
          <Document
            label={t("json.output")}
            text={output}
            onChange={setOutput}
            problem={isTried ? problems.output : ""}
          />
        </div>
        <OptionsForm draft={options} onChange={setOptions} />
        {compare.problem && <Notice tone="bad">{compare.problem}</Notice>}
        <div className="form-actions">
          <Button kind="primary" type="submit" disabled={compare.isBusy}>
            {compare.isBusy ? t("json.comparing") : t("common.compare")}
          </Button>
          {!truth && !output && (
            <Button
              onClick={() => {
                setTruth(EXAMPLE.truth);
                setOutput(EXAMPLE.output);
                void work(EXAMPLE.truth, EXAMPLE.output);
              }}
            >
              {t("common.tryAnExample")}
            </Button>
          )}
          <span className="muted small">{t("common.nothingOfItIsStored")}</span>
        </div>
      </form>
      {result && (
        <section className="stack json-result" aria-labelledby="json-result">
          <h2 id="json-result" className="unseen" ref={heading} tabIndex={-1}>
            {t("json.result")}
          </h2>
          <Scores result={result} />
          <div>
            <div className="section-head">
              <h2>{t("json.fieldByField")}</h2>
              <span className="muted small">
                {strategies
                  ? rich("json.aChangeOfAStrategyHereIs", { part: <span dir="auto">{strategies}</span> })
                  : rich("json.comparedByTheTypeOfEachValue", {
                      link: <a href={href("/json", { tab: "strategies" })}>{t("json.makeASetOfStrategies")}</a>,
                    })}
              </span>
            </div>
            {change.problem && <Notice tone="bad">{change.problem}</Notice>}
            <FieldTable
              fields={result.field_scores}
              file="json-fields"
              onStrategy={
                strategies
                  ? async (field, strategy) => {
                      if (!(await change.run(field, strategy))) return;
                      set.reload();
                      await work();
                    }
                  : undefined
              }
            />
          </div>
        </section>
      )}
    </div>
  );
}
