import type { JsonAnswerEntry } from "../../api/generated/schema";
import { Figure } from "../../components/Figure";
import { Meter } from "../../components/ui/Meter";
import { Notice } from "../../components/ui/Notice";
import { formatNumber, NOTHING, PLAIN } from "../../lib/format";
import { t } from "../../lib/messages";

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
      <section className="figures json-figures" aria-label={t("common.scores")}>
        <Figure
          label="RQS"
          value={number(result.rqs)}
          note={result.rqs === null ? t("json.aPartOfItHasNo") : t("json.responseQualityAllScoresByTheir")}
        >
          <Meter value={result.rqs} scale={PLAIN} label="RQS" />
        </Figure>
        <Figure
          label={t("json.accuracy")}
          value={number(result.accuracy)}
          note={
            result.is_vacuous
              ? t("json.noFieldCouldBeCompared")
              : [
                  t("json.ofComparedFieldsMatch", { right, right2: right + wrong }),
                  ...(ignored.length ? [t("json.ignored", { ignored: ignored.length })] : []),
                ].join(", ")
          }
        >
          <Meter value={result.accuracy} scale={PLAIN} label={t("json.accuracy")} />
        </Figure>
        <Figure
          label={t("json.completeness")}
          value={number(result.completeness)}
          note={t("json.ofExpectedValuesArePresent", { both: both.length, both2: both.length + missing.length })}
        >
          <Meter value={result.completeness} scale={PLAIN} label={t("json.completeness")} />
        </Figure>
        <Figure
          label={t("json.hallucination")}
          value={number(result.hallucination)}
          note={made ? t("json.unexpectedFields", { count: made }) : t("json.nothingWasInventedLowerIsBetter")}
        >
          <Meter value={result.hallucination} scale={PLAIN} label={t("json.hallucination")} />
        </Figure>
        <Figure
          label={t("common.safety")}
          value={number(result.safety_score)}
          note={
            [
              result.toxicity === null ? "" : t("json.toxicity", { toxicity: formatNumber(result.toxicity) }),
              result.tone ?? "",
            ]
              .filter(Boolean)
              .join(" · ") || t("json.ofTheTextInTheOutput")
          }
        >
          <Meter value={result.safety_score} scale={PLAIN} label={t("common.safety")} />
        </Figure>
      </section>
    </>
  );
}
