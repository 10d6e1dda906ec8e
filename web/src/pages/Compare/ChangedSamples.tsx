import { useMemo } from "react";
import type { Comparison, SampleChangeEntry } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { EmptyState } from "../../components/ui/EmptyState";
import { diffWords } from "../../lib/diff";
import { formatValue } from "../../lib/format";
import { IN_ENGLISH, rich, t } from "../../lib/messages";
import { href, pathTo } from "../../lib/url";

/** Samples that changed most, folded but for the first; open, the responses stand side by side. */
export function ChangedSamples({ comparison }: { comparison: Comparison }) {
  if (comparison.samples.length === 0) return <EmptyState title={t("compare.noSampleChanged")} />;
  return (
    <ol className="changed" aria-label={t("compare.samplesThatChangedMost")}>
      {comparison.samples.map((sample, index) => (
        <li key={`${sample.id_a} ${sample.id_b}`}>
          <ChangedSample sample={sample} runs={comparison} isOpen={index === 0} />
        </li>
      ))}
    </ol>
  );
}

const SHOWN = 6;

/** Where a sample is found with all its scores. */
function addressIn(run: string, id: string): string {
  return href(pathTo("/runs/:run", { run }), { tab: "samples", text: id });
}

interface ChangedSampleProps {
  sample: SampleChangeEntry;
  runs: Comparison;
  isOpen: boolean;
}

function ChangedSample({ sample, runs, isOpen }: ChangedSampleProps) {
  return (
    <details open={isOpen}>
      <summary>
        <h2 dir="auto">
          {sample.id_a}
          {sample.id_b !== sample.id_a && ` → ${sample.id_b}`}
        </h2>{" "}
        {sample.query && (
          <span className="muted small" dir="auto">
            {sample.query}
          </span>
        )}
      </summary>
      <p className="small">
        {rich("compare.itsScoresInAnd", {
          link: <a href={addressIn(runs.a, sample.id_a)}>A</a>,
          link2: <a href={addressIn(runs.b, sample.id_b)}>B</a>,
        })}
      </p>
      <Responses before={sample.response_a ?? ""} after={sample.response_b ?? ""} />
      <ScoreChanges sample={sample} />
    </details>
  );
}

function ScoreChanges({ sample }: { sample: SampleChangeEntry }) {
  const { label, scale } = useRegistry();
  return (
    <>
      <ul className="score-changes small">
        {sample.scores.slice(0, SHOWN).map((score) => (
          <li key={score.metric}>
            <strong>{label(score.metric)}</strong>{" "}
            <span className="number" dir="ltr">
              {formatValue(score.value_a, scale(score.metric))} → {formatValue(score.value_b, scale(score.metric))}
            </span>
            <span className="muted block" {...IN_ENGLISH}>
              {score.explanation_b}
            </span>
          </li>
        ))}
      </ul>
      {sample.scores.length > SHOWN && (
        <p className="muted tiny">{t("compare.andMoreScores", { scores: sample.scores.length - SHOWN })}</p>
      )}
    </>
  );
}

function Responses({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  if (before === after)
    return (
      <p className="data-text" dir="auto">
        {before} <span className="muted tiny">{t("compare.theSameInBoth")}</span>
      </p>
    );
  return (
    <div className="sides">
      <Side name="A" parts={parts.filter((part) => part.kind !== "added")} />
      <Side name="B" parts={parts.filter((part) => part.kind !== "removed")} />
    </div>
  );
}

function Side({ name, parts }: { name: string; parts: ReturnType<typeof diffWords> }) {
  return (
    <div>
      <span className="muted tiny">{name}</span>
      <div className="data-text" dir="auto">
        {parts.map((part, index) => {
          if (part.kind === "removed") return <del key={index}>{part.text}</del>;
          if (part.kind === "added") return <ins key={index}>{part.text}</ins>;
          return part.text;
        })}
        {parts.length === 0 && <span className="muted">{t("common.empty")}</span>}
      </div>
    </div>
  );
}
