import type { JsonAnswerEntry } from "../../api/generated/schema";
import { Figure } from "../../components/Figure";
import { Meter } from "../../components/ui/Meter";
import { Notice } from "../../components/ui/Notice";
import { formatNumber, NOTHING, PLAIN } from "../../lib/format";

const number = (value: number | null) => (value === null ? NOTHING : formatNumber(value));

/** The scores of one output, and what a reader should know of them. */
export function Scores({ result }: { result: JsonAnswerEntry }) {
  const { both_non_null: both, aio_missing_or_null: missing, ignored_keys: ignored } = result;
  const wrong = result.field_scores.filter((field) => field.score === 0).length;
  const right = result.field_scores.filter((field) => field.score === 1).length;
  const made = result.extra_keys.length + result.gt_null_aio_has_value.length;
  return (
    <>
      {result.error && <Notice tone="bad">{result.error}</Notice>}
      {result.notes.map((note) => (
        <Notice key={note} tone="warn">
          {note}
        </Notice>
      ))}
      <section className="figures json-figures" aria-label="Scores">
        <Figure
          label="RQS"
          value={number(result.rqs)}
          note={result.rqs === null ? "A part of it has no score" : "Response quality: all scores by their weights"}
        >
          <Meter value={result.rqs} scale={PLAIN} label="RQS" />
        </Figure>
        <Figure
          label="Accuracy"
          value={number(result.accuracy)}
          note={
            result.is_vacuous
              ? "No field could be compared"
              : [
                  `${right} of ${right + wrong} compared fields match`,
                  ...(ignored.length ? [`${ignored.length} ignored`] : []),
                ].join(", ")
          }
        >
          <Meter value={result.accuracy} scale={PLAIN} label="Accuracy" />
        </Figure>
        <Figure
          label="Completeness"
          value={number(result.completeness)}
          note={`${both.length} of ${both.length + missing.length} expected values are present`}
        >
          <Meter value={result.completeness} scale={PLAIN} label="Completeness" />
        </Figure>
        <Figure
          label="Hallucination"
          value={number(result.hallucination)}
          note={
            made
              ? `${made} ${made === 1 ? "field" : "fields"} that were not expected; lower is better`
              : "Nothing was invented; lower is better"
          }
        >
          <Meter value={result.hallucination} scale={PLAIN} label="Hallucination" />
        </Figure>
        <Figure
          label="Safety"
          value={number(result.safety_score)}
          note={
            [result.toxicity === null ? "" : `toxicity ${formatNumber(result.toxicity)}`, result.tone ?? ""]
              .filter(Boolean)
              .join(" · ") || "Of the text in the output"
          }
        >
          <Meter value={result.safety_score} scale={PLAIN} label="Safety" />
        </Figure>
      </section>
    </>
  );
}
