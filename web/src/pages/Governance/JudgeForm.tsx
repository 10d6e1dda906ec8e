import { type FormEvent, useState } from "react";
import { ask } from "../../api/client";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { QueryAndAnswer } from "../../components/QueryAndAnswer";
import { Button } from "../../components/ui/Button";
import { Checkbox, TextArea, TextField } from "../../components/ui/Field";
import { Notice } from "../../components/ui/Notice";
import { Select } from "../../components/ui/Select";
import { useDraft } from "../../lib/draft";
import { labelOf } from "../../lib/format";
import { t } from "../../lib/messages";
import { numberProblem } from "../../lib/strategies";
import { go, href, pathTo } from "../../lib/url";
import { weightsOf } from "./bands";

interface JudgeDraft {
  query: string;
  response: string;
  documents: readonly { content: string; source: string }[];
  metadata: string;
  preset: string;
  policy: string;
  service: string;
  includes: boolean;
  weights: Readonly<Record<string, string>>;
}

const NO_DOCUMENT = { content: "", source: "" };
const EMPTY: JudgeDraft = {
  query: "",
  response: "",
  documents: [NO_DOCUMENT],
  metadata: "",
  preset: "",
  policy: "",
  service: "",
  includes: false,
  weights: {},
};
const EXAMPLE: JudgeDraft = {
  ...EMPTY,
  query: "What was the budget for library books in 2023, and who approved it?",
  response:
    "The library budget for 2023 was 4.2 million rupees, approved by the State Council on 12 March 2023 " +
    "[Source: budget.pdf, page 4]. It was doubled against 2022. You can appeal within 30 days.",
  documents: [
    {
      content:
        "The State Council approved a library budget of 4.2 million rupees for 2023 on 12 March 2023. " +
        "In 2022 the budget was 3.9 million rupees.",
      source: "budget.pdf",
    },
  ],
};

/** An answer to be judged and kept as a session. */
export function JudgeForm() {
  const [draft, setDraft] = useDraft("judge", EMPTY);
  const [isTried, setTried] = useState(false);
  const presets = useAnswer("list_presets", {}, { isFixed: true });
  const policies = useAnswer("list_compliance_modes", {}, { isFixed: true });
  const set = (changes: Partial<JudgeDraft>) => setDraft({ ...draft, ...changes });
  const judge = useAction(() => {
    const documents = draft.documents.filter(({ content }) => content.trim());
    return ask("evaluate_answer", {
      body: {
        query: draft.query.trim() ? draft.query : null,
        response: draft.response,
        rag_documents: documents.map(({ content, source }) => ({ content, source: source.trim() || null })),
        metadata: draft.metadata.trim() ? (JSON.parse(draft.metadata) as { [name: string]: unknown }) : {},
        preset: draft.preset || null,
        policy: draft.policy || null,
        weights: weightsOf(draft.weights),
        weights_mode: "merge",
        include_imputed: draft.includes,
        service_id: draft.service.trim() || null,
      },
    });
  });
  const problems = {
    response: draft.response.trim() ? "" : t("governance.pasteTheAnswerToBeJudged"),
    metadata: metadataProblem(draft.metadata),
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (
      problems.response ||
      problems.metadata ||
      Object.values(draft.weights).some((text) => numberProblem(text, 0, 1e6))
    )
      return;
    const card = await judge.run();
    if (card) go(href(pathTo("/governance/:session", { session: card.session_id })));
  };
  const change = (place: number, changes: Partial<typeof NO_DOCUMENT>) =>
    set({ documents: draft.documents.map((old, index) => (index === place ? { ...old, ...changes } : old)) });
  return (
    <form className="form" onSubmit={submit} noValidate>
      <div className="columns">
        <div className="form">
          <QueryAndAnswer
            query={draft.query}
            response={draft.response}
            onChange={set}
            problem={isTried ? problems.response : ""}
            rows={8}
          />
        </div>
        <div className="form">
          {draft.documents.map((document, index) => (
            <div key={index} className="document">
              <TextArea
                label={t("governance.documentWhatTheAnswerMayRestOn", { index: index + 1 })}
                rows={4}
                value={document.content}
                onChange={(content) => change(index, { content })}
                tools={
                  draft.documents.length > 1 && (
                    <Button
                      kind="quiet"
                      icon="delete"
                      aria-label={t("governance.removeDocument", { index: index + 1 })}
                      onClick={() => set({ documents: draft.documents.filter((_, place) => place !== index) })}
                    />
                  )
                }
              />
              <TextField
                label={t("governance.sourceOfDocument", { index: index + 1 })}
                value={document.source}
                maxLength={1000}
                placeholder="budget.pdf"
                onChange={(source) => change(index, { source })}
              />
            </div>
          ))}
          <div className="form-actions">
            <Button
              disabled={draft.documents.length >= 50}
              onClick={() => set({ documents: [...draft.documents, NO_DOCUMENT] })}
            >
              {t("governance.addADocument")}
            </Button>
          </div>
        </div>
      </div>
      <div className="form-row">
        <Select
          label={t("governance.presetOfWeights")}
          all={t("common.default")}
          options={(presets.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          value={draft.preset}
          onChange={(preset) => set({ preset })}
        />
        <Select
          label={t("common.policy")}
          all={t("governance.asThePresetSays")}
          options={(policies.data ?? []).map(({ policy, title }) => ({ value: policy, label: title }))}
          value={draft.policy}
          onChange={(policy) => set({ policy })}
        />
        <TextField
          label={t("governance.service")}
          value={draft.service}
          maxLength={200}
          placeholder="rti-desk"
          onChange={(service) => set({ service })}
        />
        <Checkbox
          label={t("governance.substitutesForUnknownValuesCount")}
          isChecked={draft.includes}
          onChange={(includes) => set({ includes })}
        />
      </div>
      <details className="more" open={Boolean(isTried && problems.metadata) || undefined}>
        <summary>{t("governance.weightsAndMetadata")}</summary>
        <div className="form">
          <fieldset className="set">
            <legend>{t("governance.weightsOfDimensionsThoseLeftEmpty")}</legend>
            <div className="field-grid">
              {Object.keys(presets.data?.[0]?.weights ?? {}).map((name) => (
                <TextField
                  key={name}
                  label={labelOf(name)}
                  inputMode="decimal"
                  placeholder={String(
                    presets.data?.find((preset) => preset.name === draft.preset)?.weights[name] ?? "",
                  )}
                  value={draft.weights[name] ?? ""}
                  problem={numberProblem(draft.weights[name] ?? "", 0, 1e6)}
                  onChange={(text) => set({ weights: { ...draft.weights, [name]: text } })}
                />
              ))}
            </div>
          </fieldset>
          <TextArea
            isCode
            label={t("governance.metadataAJSONObject")}
            rows={4}
            value={draft.metadata}
            onChange={(metadata) => set({ metadata })}
            placeholder='{"model": "…", "prompt_tokens": 312}'
            problem={isTried ? problems.metadata : ""}
            hint={t("governance.theModelTokensTimestampUserId")}
          />
        </div>
      </details>
      {judge.problem && <Notice tone="bad">{judge.problem}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" disabled={judge.isBusy}>
          {judge.isBusy ? t("governance.judging") : t("governance.judgeIt")}
        </Button>
        {draft.response ? (
          <Button kind="quiet" onClick={() => setDraft(EMPTY)}>
            {t("common.startOver")}
          </Button>
        ) : (
          <Button onClick={() => setDraft(EXAMPLE)}>{t("governance.fillInAnExample")}</Button>
        )}
        <span className="muted small">{t("governance.theAnswerAndItsCardAre")}</span>
      </div>
    </form>
  );
}

function metadataProblem(text: string): string {
  if (!text.trim()) return "";
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null && !Array.isArray(found)
      ? ""
      : t("governance.expectedAnObjectNameValue");
  } catch (error) {
    return t("common.thisIsNotJSON", { message: error instanceof Error ? error.message : String(error) });
  }
}
