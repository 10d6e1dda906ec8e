import { useState } from "react";
import type { JsonAnswerEntry, JsonBatchAnswer } from "../../api/generated/schema";
import { Figure } from "../../components/Figure";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Meter } from "../../components/ui/Meter";
import { type Column, Table } from "../../components/ui/Table";
import { formatNumber, formatShare, NOTHING, PLAIN } from "../../lib/format";
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
    { id: "place", label: "Place", value: ({ place }) => place, cell: ({ place }) => place },
    {
      id: "output",
      label: "Output",
      value: ({ index }) => index + 1,
      cell: ({ index, result }) => (
        <>
          Output {index + 1} {index === answer.best_index && <Badge tone="good">best</Badge>}
          {result.error && (
            <span className="problem small block" dir="auto">
              {result.error}
            </span>
          )}
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
      label: "Fields",
      cell: ({ index }) => (
        <Button
          kind="quiet"
          aria-expanded={shown === index}
          aria-controls="ranked-output"
          onClick={() => setShown(shown === index ? null : index)}
        >
          {shown === index ? "Hide" : "Show"}
          <span className="unseen"> fields of output {index + 1}</span>
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
          {answer.reasons.join(" ") || "All limits are met."}
        </span>
      </div>
      <section className="figures json-figures" aria-label="The batch">
        <Figure
          label="Best RQS"
          value={number(answer.best_rqs)}
          note={answer.best_index === null ? "No output has a score" : `Output ${answer.best_index + 1}`}
        />
        <Figure
          label="Mean RQS"
          value={number(answer.mean_rqs)}
          note={[
            `deviation ${number(answer.std_dev)}`,
            `variance ${number(answer.variance)}`,
            `n = ${answer.results.length}`,
          ].join(", ")}
        />
        <Figure label="Consistency" value={number(answer.consistency)} note="How similar the outputs are" />
        <Figure label="Mean accuracy" value={number(answer.mean_accuracy)} />
        <Figure
          label="Hallucination rate"
          value={formatShare(answer.hallucination_rate)}
          note="Outputs with invented fields"
        />
      </section>
      <Table
        caption="Ranking"
        file="json-ranking"
        columns={columns}
        rows={rows}
        rowKey={({ index }) => String(index)}
        sortName="ranks"
      />
      <div id="ranked-output" className="stack">
        {result && (
          <>
            <h2>Output {shown! + 1}</h2>
            <Scores result={result} />
            <FieldTable fields={result.field_scores} file={`json-output-${shown! + 1}`} />
          </>
        )}
      </div>
    </>
  );
}
