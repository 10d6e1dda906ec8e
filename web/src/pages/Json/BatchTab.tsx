import { type FormEvent, useRef, useState } from "react";
import { ask } from "../../api/client";
import type { JsonBatchAnswer } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { Button } from "../../components/ui/Button";
import { TextField } from "../../components/ui/Field";
import { FilePick } from "../../components/ui/FilePick";
import { Notice } from "../../components/ui/Notice";
import { useDraft } from "../../lib/draft";
import { labelOf } from "../../lib/format";
import { t } from "../../lib/messages";
import { numberProblem } from "../../lib/strategies";
import { useQuery } from "../../lib/url";
import { Document } from "./Document";
import { jsonProblem, splitOutputs } from "./documents";
import { OptionsForm } from "./OptionsForm";
import { bodyOf, DEFAULTS, problemsOf } from "./options";
import { Ranking } from "./Ranking";

const MAX_OUTPUTS = 500;
const GATES = { min_accuracy: "", min_consistency: "", min_rqs: "", max_hallucination_rate: "" };

/** Several outputs beside one ground truth: which is the best, and how alike they are. */
export function BatchTab() {
  const [query] = useQuery();
  const [truth, setTruth] = useDraft("json-truth", "");
  const [outputs, setOutputs] = useDraft<readonly string[]>("json-outputs", ["", ""]);
  const [options, setOptions] = useDraft("json-options", DEFAULTS);
  const [gates, setGates] = useDraft("json-gates", GATES);
  const [answer, setAnswer] = useDraft<JsonBatchAnswer | null>("json-batch", null);
  const [isTried, setTried] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const compare = useAction((found: readonly string[]) =>
    ask("compare_json_batch", {
      body: {
        ground_truth: truth,
        outputs: [...found],
        strategies: query.strategies || null,
        options: bodyOf(options),
        repair: options.repair,
        gates: Object.fromEntries(
          Object.entries(gates).flatMap(([name, text]) => (text.trim() ? [[name, Number(text)]] : [])),
        ),
      },
    }),
  );
  const add = async (files: File[]) => {
    const read = await Promise.all(files.map((file) => file.text()));
    setOutputs((before) =>
      [...before.filter((text) => text.trim()), ...read.flatMap(splitOutputs)].slice(0, MAX_OUTPUTS),
    );
  };
  const filled = outputs.filter((text) => text.trim());
  const problem = filled.length ? "" : t("json.giveAtLeastOneOutput");
  const hasProblem =
    jsonProblem(truth) ||
    problem ||
    Object.keys(problemsOf(options)).length ||
    Object.values(gates).some((text) => numberProblem(text, 0, 1));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (hasProblem) return;
    setOutputs(filled);
    const found = await compare.run(filled);
    if (!found) return;
    setAnswer(found);
    requestAnimationFrame(() => heading.current?.focus());
  };
  return (
    <div className="stack">
      <form className="form" onSubmit={submit} noValidate>
        <Document
          label={t("json.expectedDocument")}
          rows={7}
          text={truth}
          onChange={setTruth}
          problem={isTried ? jsonProblem(truth) : ""}
        />
        <div className="batch-outputs">
          {outputs.map((text, index) => (
            <Document
              key={index}
              label={t("json.outputNumber", { index: index + 1 })}
              rows={6}
              text={text}
              problem={isTried && index === 0 ? problem : ""}
              onChange={(next) => setOutputs(outputs.map((old, place) => (place === index ? next : old)))}
              onRemove={
                outputs.length > 1 ? () => setOutputs(outputs.filter((_, place) => place !== index)) : undefined
              }
            />
          ))}
        </div>
        <div className="form-actions">
          <Button disabled={outputs.length >= MAX_OUTPUTS} onClick={() => setOutputs([...outputs, ""])}>
            {t("json.addAnOutput")}
          </Button>
          <FilePick
            isMultiple
            label={t("json.openFiles")}
            accept=".json,.jsonl,.ndjson,.txt"
            onPick={(files) => void add(files)}
          />
          <span className="muted small">{t("json.aListOrJSONLinesContains")}</span>
        </div>
        <OptionsForm draft={options} onChange={setOptions} />
        <details className="more">
          <summary>{t("json.limitsOfTheBatch")}</summary>
          <div className="field-grid">
            {(Object.keys(GATES) as (keyof typeof GATES)[]).map((name) => (
              <TextField
                key={name}
                label={labelOf(name)}
                inputMode="decimal"
                placeholder="0.5"
                value={gates[name]}
                problem={numberProblem(gates[name], 0, 1)}
                onChange={(text) => setGates({ ...gates, [name]: text })}
              />
            ))}
          </div>
        </details>
        {compare.problem && <Notice tone="bad">{compare.problem}</Notice>}
        <div className="form-actions">
          <Button kind="primary" type="submit" disabled={compare.isBusy}>
            {compare.isBusy ? t("json.ranking") : t("json.rankOutputs", { filled: filled.length || "" })}
          </Button>
          <span className="muted small">{t("common.nothingOfItIsStored")}</span>
        </div>
      </form>
      {answer && (
        <section className="stack" aria-labelledby="batch-result">
          <h2 id="batch-result" className="unseen" ref={heading} tabIndex={-1}>
            {t("json.rankingTitle")}
          </h2>
          <Ranking answer={answer} />
        </section>
      )}
    </div>
  );
}
