import { useState } from "react";
import type { JsonAnswerEntry, JsonBatchAnswer } from "../../api/generated/schema";
import { Figure } from "../../components/Figure";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Meter } from "../../components/ui/Meter";
import { type Column, Table } from "../../components/ui/Table";
import { formatNumber, formatShare, NOTHING, PLAIN } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { FieldTable } from "./FieldTable";
import { Scores } from "./Scores";

const number = (value: number | null) => (value === null ? NOTHING : formatNumber(value));

interface Row {
  place: number;
  index: number;
  result: JsonAnswerEntry;
}

/** Outputs from the best to the worst, and what they come to together. */
export function Ranking({ answer }: { answer: JsonBatchAnswer }) {
  const [shown, setShown] = useState<number | null>(null);
  const listed = [...answer.ranking, ...[...answer.results.keys()].filter((index) => !answer.ranking.includes(index))];
  const rows: Row[] = listed.map((index, place) => ({ place: place + 1, index, result: answer.results[index]! }));
  const score = (name: "accuracy" | "completeness" | "hallucination" | "consistency"): Column<Row> => ({
    id: name,
    label: name.charAt(0).toUpperCase() + name.slice(1),
    isNumber: true,
    value: ({ result }) => result[name],
    cell: ({ result }) => number(result[name]),
  });
  const columns: Column<Row>[] = [
    { id: "place", label: t("json.place"), value: ({ place }) => place, cell: ({ place }) => place },
    {
      id: "output",
      label: t("json.output"),
      value: ({ index }) => index + 1,
      cell: ({ index, result }) => (
        <>
          {rich("json.outputWithBadges", {
            index: index + 1,
            badge: index === answer.best_index && <Badge tone="good">{t("json.best")}</Badge>,
            part: result.error && (
              <span className="problem small block" dir="auto">
                {result.error}
              </span>
            ),
          })}
        </>
      ),
    },
    {
      id: "rqs",
      label: "RQS",
      value: ({ result }) => result.rqs,
      cell: ({ result }) => (
        <span className="score-cell">
          <span className="number">{number(result.rqs)}</span>
          <Meter value={result.rqs} scale={PLAIN} label="RQS" />
        </span>
      ),
    },
    score("accuracy"),
    score("completeness"),
    score("hallucination"),
    score("consistency"),
    {
      id: "fields",
      label: t("json.fields"),
      cell: ({ index }) => (
        <Button
          kind="quiet"
          aria-expanded={shown === index}
          aria-controls="ranked-output"
          onClick={() => setShown(shown === index ? null : index)}
        >
          {shown === index ? t("json.hide") : t("json.show")}
          <span className="unseen"> {t("json.fieldsOfOutput", { index: index + 1 })}</span>
        </Button>
      ),
    },
  ];
  const result = shown === null ? undefined : answer.results[shown];
  return (
    <>
      <div className="form-row">
        <Badge tone={answer.status === "PASS" ? "good" : "bad"}>{answer.status}</Badge>
        <span className="small" dir="auto">
          {answer.reasons.join(" ") || t("json.allLimitsAreMet")}
        </span>
      </div>
      <section className="figures json-figures" aria-label={t("json.theBatch")}>
        <Figure
          label={t("json.bestRQS")}
          value={number(answer.best_rqs)}
          note={
            answer.best_index === null
              ? t("json.noOutputHasAScore")
              : t("json.outputNumber", { index: answer.best_index + 1 })
          }
        />
        <Figure
          label={t("json.meanRQS")}
          value={number(answer.mean_rqs)}
          note={[
            t("json.deviation", { std_dev: number(answer.std_dev) }),
            t("json.variance", { variance: number(answer.variance) }),
            `n = ${answer.results.length}`,
          ].join(", ")}
        />
        <Figure
          label={t("json.consistency")}
          value={number(answer.consistency)}
          note={t("json.howSimilarTheOutputsAre")}
        />
        <Figure label={t("json.meanAccuracy")} value={number(answer.mean_accuracy)} />
        <Figure
          label={t("json.hallucinationRate")}
          value={formatShare(answer.hallucination_rate)}
          note={t("json.outputsWithInventedFields")}
        />
      </section>
      <Table
        caption={t("json.rankingTitle")}
        file="json-ranking"
        columns={columns}
        rows={rows}
        rowKey={({ index }) => String(index)}
        sortName="ranks"
      />
      <div id="ranked-output" className="stack">
        {result && (
          <>
            <h2>{t("json.outputNumber", { index: shown! + 1 })}</h2>
            <Scores result={result} />
            <FieldTable fields={result.field_scores} file={`json-output-${shown! + 1}`} />
          </>
        )}
      </div>
    </>
  );
}
