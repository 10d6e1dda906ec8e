import { type FormEvent, useRef, useState } from "react";
import { ask } from "../../api/client";
import type { ScoreAnswer } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { MetricChoice, type MetricChosen, NO_CHOICE } from "../../components/MetricChoice";
import { QueryAndAnswer } from "../../components/QueryAndAnswer";
import { Button } from "../../components/ui/Button";
import { TextArea } from "../../components/ui/Field";
import { Notice } from "../../components/ui/Notice";
import { Progress } from "../../components/ui/Progress";
import { useDraft } from "../../lib/draft";
import { t } from "../../lib/messages";
import { Scored } from "./Scored";
import { EMPTY_SAMPLE, EXAMPLE_SAMPLE, partsOf, problemsOf, type SampleDraft, sampleOf } from "./sample";

export interface Part {
  name: string;
  answer: ScoreAnswer;
}

interface Scoring {
  /** What was scored, as it stood then. */
  sample: SampleDraft;
  parts: readonly Part[];
  total: number;
}

/** Scores of one pasted answer, shown as they come; nothing is stored. */
export function OneAnswer() {
  const [draft, setDraft] = useDraft("try-sample", EMPTY_SAMPLE);
  const [choice, setChoice] = useDraft<MetricChosen>("try-choice", NO_CHOICE);
  const [scoring, setScoring] = useDraft<Scoring | null>("try-scoring", null);
  const [isTried, setTried] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const turn = useRef(0);
  const set = (changes: Partial<SampleDraft>) => setDraft({ ...draft, ...changes });
  const problems = isTried ? problemsOf(draft) : {};
  const score = useAction(async (wanted: SampleDraft) => {
    const mine = ++turn.current;
    const requests = partsOf(choice.metrics);
    setScoring({ sample: wanted, parts: [], total: requests.length });
    requestAnimationFrame(() => heading.current?.focus());
    for (const metrics of requests) {
      const answer = await ask("score_sample", {
        body: { sample: sampleOf(wanted), metrics, profile: choice.profile || null, policy: choice.policy || null },
      });
      if (mine !== turn.current) return;
      const part = { name: metrics[0] ?? choice.profile, answer };
      setScoring((before) => (before ? { ...before, parts: [...before.parts, part] } : before));
    }
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problemsOf(draft)).length === 0) await score.run(draft);
  };
  const example = () => {
    setDraft(EXAMPLE_SAMPLE);
    void score.run(EXAMPLE_SAMPLE);
  };
  const isEmpty = !draft.query && !draft.response;
  return (
    <div className="stack">
      <form className="form" onSubmit={submit} noValidate>
        <div className="columns">
          <div className="form">
            <QueryAndAnswer
              query={draft.query}
              response={draft.response}
              onChange={set}
              problem={problems.response}
              rows={7}
            />
            <TextArea
              label={t("tryIt.expectedAnswerIfThereIsOne")}
              rows={2}
              value={draft.expected}
              onChange={(expected) => set({ expected })}
            />
          </div>
          <div className="form">
            {draft.contexts.map((text, index) => (
              <TextArea
                key={index}
                label={
                  draft.contexts.length > 1 ? t("common.context", { index: index + 1 }) : t("tryIt.contextForTheAnswer")
                }
                rows={4}
                value={text}
                onChange={(next) =>
                  set({ contexts: draft.contexts.map((old, place) => (place === index ? next : old)) })
                }
                tools={
                  draft.contexts.length > 1 && (
                    <Button
                      kind="quiet"
                      icon="delete"
                      aria-label={t("tryIt.removeContext", { index: index + 1 })}
                      onClick={() => set({ contexts: draft.contexts.filter((_, place) => place !== index) })}
                    />
                  )
                }
              />
            ))}
            <div className="form-actions">
              <Button disabled={draft.contexts.length >= 50} onClick={() => set({ contexts: [...draft.contexts, ""] })}>
                {t("tryIt.addAContext")}
              </Button>
            </div>
            <details className="more" open={Boolean(problems.more) || undefined}>
              <summary>{t("tryIt.additionalFields")}</summary>
              <TextArea
                isCode
                label={t("tryIt.aJSONObject")}
                rows={4}
                value={draft.more}
                onChange={(more) => set({ more })}
                placeholder='{"duration": 1.8, "steps": ["…"]}'
                problem={problems.more}
                hint={t("tryIt.anyFieldOfASampleTimes")}
              />
            </details>
          </div>
        </div>
        <MetricChoice value={choice} onChange={setChoice} />
        <div className="form-actions">
          <Button kind="primary" type="submit" disabled={score.isBusy}>
            {score.isBusy ? t("tryIt.scoring") : t("tryIt.scoreIt")}
          </Button>
          {isEmpty && <Button onClick={example}>{t("common.tryAnExample")}</Button>}
          {!isEmpty && (
            <Button
              kind="quiet"
              onClick={() => {
                turn.current += 1;
                setDraft(EMPTY_SAMPLE);
                setScoring(null);
                setTried(false);
              }}
            >
              {t("common.startOver")}
            </Button>
          )}
          <span className="muted small">{t("common.nothingOfItIsStored")}</span>
        </div>
      </form>
      <section aria-labelledby="try-scores" hidden={!scoring && !score.problem}>
        <h2 id="try-scores" className="unseen" ref={heading} tabIndex={-1}>
          {t("tryIt.scoresOfThisAnswer")}
        </h2>
        {score.problem && <Notice tone="bad">{score.problem}</Notice>}
        {scoring && score.isBusy && (
          <Progress done={scoring.parts.length} total={scoring.total} label={t("tryIt.familiesScored")} />
        )}
        {scoring && scoring.parts.length > 0 && <Scored sample={scoring.sample} parts={scoring.parts} />}
      </section>
    </div>
  );
}
