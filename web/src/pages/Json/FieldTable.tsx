import { useState } from "react";
import type { FieldEntry } from "../../api/generated/schema";
import type { Tone } from "../../api/registry";
import { Badge } from "../../components/ui/Badge";
import { Choice } from "../../components/ui/Choice";
import { LongText } from "../../components/ui/LongText";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatNumber } from "../../lib/format";
import { IN_ENGLISH, t } from "../../lib/messages";
import { STRATEGIES } from "../../lib/strategies";
import { valueText } from "./documents";

/** Where a field belongs, in words. */
const BUCKETS: Readonly<Record<string, { label: string; tone: Tone; help: string }>> = {
  both_non_null: { label: t("json.compared"), tone: "neutral", help: t("json.aValueInBothDocuments") },
  aio_missing_or_null: { label: t("json.missing"), tone: "bad", help: t("json.aValueInTheExpectedDocument") },
  extra_keys: { label: t("json.extra"), tone: "warn", help: t("json.inTheOutputOnly") },
  gt_null_aio_has_value: { label: t("json.unexpected"), tone: "warn", help: t("json.aValueWhereTheExpectedDocument") },
  skipped: { label: t("json.skipped"), tone: "neutral", help: t("json.nullInBothOrLeftOut") },
};

const MATCHES: Readonly<Record<string, (field: FieldEntry) => boolean>> = {
  all: () => true,
  wrong: (field) => field.score === 0,
  right: (field) => field.score === 1,
  ...Object.fromEntries(
    Object.keys(BUCKETS)
      .filter((bucket) => bucket !== "both_non_null")
      .map((bucket) => [bucket, (field: FieldEntry) => field.bucket === bucket]),
  ),
};

const VIEWS: Readonly<Record<string, string>> = {
  all: t("common.all"),
  wrong: t("json.wrong"),
  right: t("json.right"),
};

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function viewsOf(fields: readonly FieldEntry[]) {
  return Object.entries(MATCHES)
    .map(([value, fits]) => ({ value, count: fields.filter(fits).length }))
    .filter(({ value, count }) => count > 0 || value === "all")
    .map(({ value, count }) => ({
      value,
      label: `${VIEWS[value] ?? upperFirst(BUCKETS[value]?.label ?? value)} ${formatCount(count)}`,
    }));
}

interface FieldTableProps {
  fields: readonly FieldEntry[];
  file: string;
  /** Changes how a field is compared; absent where no set of strategies is chosen. */
  onStrategy?: (field: string, strategy: string) => void;
}

/** The two documents side by side, field by field. */
export function FieldTable({ fields, file, onStrategy }: FieldTableProps) {
  const [view, setView] = useState("all");
  const views = viewsOf(fields);
  const chosen = views.some(({ value }) => value === view) ? view : "all";
  const columns: Column<FieldEntry>[] = [
    {
      id: "field",
      label: t("common.field"),
      value: (field) => field.field_name,
      cell: (field) => (
        <>
          <code dir="auto">{field.field_name}</code>
          <span className="tiny muted block">{field.field_type}</span>
        </>
      ),
    },
    {
      id: "ground_truth",
      label: t("json.expectedDocument"),
      value: (field) => valueText(field.gt_value),
      cell: (field) => <Value value={field.gt_value} absent={field.bucket === "extra_keys" ? t("json.absent") : ""} />,
    },
    {
      id: "output",
      label: t("json.output"),
      value: (field) => valueText(field.aio_value),
      cell: (field) => (
        <Value value={field.aio_value} absent={field.bucket === "aio_missing_or_null" ? t("json.absentOrNull") : ""} />
      ),
    },
    {
      id: "strategy",
      label: t("common.strategy"),
      value: (field) => field.match_strategy,
      cell: (field) =>
        onStrategy && (field.match_strategy || field.bucket === "both_non_null") ? (
          <select
            className="cell-select"
            aria-label={t("json.strategyOf", { field_name: field.field_name })}
            value={field.match_strategy}
            onChange={(event) => onStrategy(field.field_name, event.target.value)}
          >
            {STRATEGIES.map((word) => (
              <option key={word}>{word}</option>
            ))}
          </select>
        ) : (
          field.match_strategy || <span className="muted">–</span>
        ),
    },
    {
      id: "score",
      label: t("common.score"),
      value: (field) => field.score,
      cell: (field) => (
        <span className="field-score">
          {field.score === null ? (
            <span className="muted">–</span>
          ) : (
            <Badge tone={field.score === 1 ? "good" : "bad"}>
              {field.score === 1 ? t("json.match") : t("json.noMatch")}
            </Badge>
          )}
          {field.similarity !== null && (
            <span className="number tiny muted">{t("json.alike", { similarity: formatNumber(field.similarity) })}</span>
          )}
        </span>
      ),
    },
    {
      id: "bucket",
      label: t("json.bucket"),
      value: (field) => field.bucket,
      cell: (field) => {
        const bucket = BUCKETS[field.bucket];
        return (
          <Badge tone={bucket?.tone} title={bucket?.help}>
            {bucket?.label ?? field.bucket}
          </Badge>
        );
      },
    },
    { id: "similarity", label: t("json.similarity"), value: (field) => field.similarity },
    {
      id: "explanation",
      label: t("common.why"),
      value: (field) => field.explanation,
      cell: (field) => <span {...IN_ENGLISH}>{field.explanation}</span>,
    },
  ];
  return (
    <Table
      caption={t("json.fields")}
      file={file}
      columns={columns}
      rows={fields.filter(MATCHES[chosen]!)}
      rowKey={(field) => field.field_name}
      sortName="fields"
      pageSize={100}
      tools={<Choice label={t("json.whichFields")} options={views} value={chosen} onChange={setView} />}
    />
  );
}

function Value({ value, absent }: { value: unknown; absent: string }) {
  if (absent) return <span className="muted">{absent}</span>;
  return (
    <span className="json-value">
      <LongText text={valueText(value)} />
    </span>
  );
}
