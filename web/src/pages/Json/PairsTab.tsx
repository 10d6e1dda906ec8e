import { useState } from "react";
import { ask } from "../../api/client";
import type { JsonPairEntry, JsonPairsAnswer, UploadEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { Figure } from "../../components/Figure";
import { UploadDrop } from "../../components/UploadDrop";
import { Button } from "../../components/ui/Button";
import { Notice } from "../../components/ui/Notice";
import { Paging } from "../../components/ui/Paging";
import { type Column, Table } from "../../components/ui/Table";
import { useDraft } from "../../lib/draft";
import { formatCount, formatNumber, NOTHING } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";
import { FieldTable } from "./FieldTable";
import { OptionsForm } from "./OptionsForm";
import { bodyOf, DEFAULTS, problemsOf } from "./options";
import { Scores } from "./Scores";

const LIMIT = 100;
/** Names of records may come twice; their places do not. */
type Row = JsonPairEntry & { place: number };

const number = (value: number | null | undefined) =>
  value === null || value === undefined ? NOTHING : formatNumber(value);

/** A file of pairs, each an output beside its own ground truth. */
export function PairsTab() {
  const [query] = useQuery();
  const [options, setOptions] = useDraft("json-options", DEFAULTS);
  const [upload, setUpload] = useDraft<UploadEntry | null>("json-upload", null);
  const [answer, setAnswer] = useDraft<{ pairs: JsonPairsAnswer; offset: number } | null>("json-pairs", null);
  const compare = useAction((id: string, offset: number) =>
    ask("compare_json_upload", {
      body: {
        upload: id,
        offset,
        limit: LIMIT,
        strategies: query.strategies || null,
        options: bodyOf(options),
        repair: options.repair,
      },
    }),
  );
  const show = async (id: string, offset = 0) => {
    if (Object.keys(problemsOf(options)).length) return;
    const pairs = await compare.run(id, offset);
    if (pairs) setAnswer({ pairs, offset });
  };
  return (
    <div className="stack">
      <div className="form">
        <UploadDrop
          onSent={(sent) => {
            setUpload(sent);
            void show(sent.id);
          }}
        >
          <p>{t("json.dropAJSONLJSONCSVOr")}</p>
          <p className="muted small">
            {rich("json.eachRecordHoldsAndOrTheText", {
              code: <code>expected_json</code>,
              code2: <code>response_json</code>,
              code3: <code>response</code>,
            })}
          </p>
        </UploadDrop>
        <OptionsForm draft={options} onChange={setOptions} />
        {compare.problem && <Notice tone="bad">{compare.problem}</Notice>}
        {upload && (
          <div className="form-actions">
            <Button kind="primary" disabled={compare.isBusy} onClick={() => void show(upload.id)}>
              {compare.isBusy ? t("json.comparing") : t("json.compareAgain")}
            </Button>
            <span className="small">
              <span dir="auto">{upload.name}</span>{" "}
              <span className="muted">
                {t("json.records", {
                  rows: upload.rows,
                  value: upload.problems > 0 && t("json.ofThemUnreadable", { problems: upload.problems }),
                })}
              </span>
            </span>
            <a className="small" href={href("/try", { tab: "file", upload: upload.id })}>
              {t("json.scoreAllOfItAsA")}
            </a>
          </div>
        )}
      </div>
      {answer && upload && <Pairs {...answer} total={upload.rows} onMove={(offset) => void show(upload.id, offset)} />}
    </div>
  );
}

function Pairs({
  pairs,
  offset,
  total,
  onMove,
}: {
  pairs: JsonPairsAnswer;
  offset: number;
  total: number;
  onMove: (offset: number) => void;
}) {
  const [shown, setShown] = useState<Row | null>(null);
  const score = (name: "rqs" | "accuracy" | "completeness" | "hallucination", label: string): Column<Row> => ({
    id: name,
    label,
    isNumber: true,
    value: ({ result }) => result?.[name],
    cell: ({ result }) => (result ? number(result[name]) : ""),
  });
  const columns: Column<Row>[] = [
    {
      id: "name",
      label: t("json.record"),
      value: ({ name }) => name,
      cell: ({ name, problem, result }) => (
        <>
          <span dir="auto">{name}</span>
          {(problem ?? result?.error) && (
            <span className="problem small block" dir="auto">
              {problem ?? result?.error}
            </span>
          )}
        </>
      ),
    },
    score("rqs", "RQS"),
    score("accuracy", t("json.accuracy")),
    score("completeness", t("json.completeness")),
    score("hallucination", t("json.hallucination")),
    {
      id: "fields",
      label: t("json.fields"),
      cell: (row) =>
        row.result && (
          <Button
            kind="quiet"
            aria-expanded={shown?.place === row.place}
            aria-controls="shown-pair"
            onClick={() => setShown(shown?.place === row.place ? null : row)}
          >
            {shown?.place === row.place ? t("json.hide") : t("json.show")}
            <span className="unseen"> {t("json.fieldsOf", { name: row.name })}</span>
          </Button>
        ),
    },
  ];
  const rows = pairs.items.map((entry, index) => ({ ...entry, place: offset + index }));
  const result = shown?.result;
  const note = `n = ${formatCount(pairs.compared)}`;
  return (
    <section className="stack" aria-label={t("common.pairs")}>
      <div className="figures json-figures">
        <Figure label={t("json.meanRQS")} value={number(pairs.mean_rqs)} note={note} />
        <Figure label={t("json.meanAccuracy")} value={number(pairs.mean_accuracy)} note={note} />
        <Figure label={t("json.meanCompleteness")} value={number(pairs.mean_completeness)} note={note} />
        <Figure
          label={t("json.meanHallucination")}
          value={number(pairs.mean_hallucination)}
          note={t("json.lowerIsBetter", { note })}
        />
        <Figure
          label={t("json.problems")}
          value={formatCount(pairs.problems)}
          note={t("json.recordsThatCouldNotBeCompared")}
        />
      </div>
      <div>
        <Table
          caption={t("common.pairs")}
          file="json-pairs"
          columns={columns}
          rows={rows}
          rowKey={({ place }) => String(place)}
          sortName="pairs"
        />
        <Paging total={total} limit={LIMIT} offset={offset} onMove={onMove} />
      </div>
      <div id="shown-pair" className="stack">
        {result && (
          <>
            <h2 dir="auto">{shown.name}</h2>
            <Scores result={result} />
            <FieldTable fields={result.field_scores} file="json-fields" />
          </>
        )}
      </div>
    </section>
  );
}
