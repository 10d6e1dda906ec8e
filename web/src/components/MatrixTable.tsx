import { type KeyboardEvent, useMemo, useState } from "react";
import type { MatrixCell, MatrixEntry, MatrixRowEntry } from "../api/generated/schema";
import { useAnswer } from "../api/use-answer";
import { diffWords } from "../lib/diff";
import { formatCount, formatScore } from "../lib/format";
import { BACK, FORWARD } from "../lib/keys";
import { t, word } from "../lib/messages";
import { href, pathTo, useQuery } from "../lib/url";
import { RunLink } from "./RunLink";
import { Await } from "./ui/Await";
import { Choice } from "./ui/Choice";
import { EmptyState } from "./ui/EmptyState";
import { Paging } from "./ui/Paging";
import { Status } from "./ui/Status";
import "./matrix.css";

const PAGE = 50;
const KINDS = ["all", "changed", "lost", "gained"] as const;
type Kind = (typeof KINDS)[number];

/** Questions against runs: a cell says how a run did, an open row shows the answers side by side. */
export function MatrixTable({ runs }: { runs: readonly string[] }) {
  const [query, setQuery] = useQuery();
  const only = KINDS.find((kind) => kind === query.only) ?? "all";
  const answer = useAnswer(
    "get_matrix",
    { runs: runs.map(encodeURIComponent).join(","), only, limit: PAGE, offset: Number(query.offset) || 0 },
    { keeps: true },
  );
  return (
    <Await answer={answer}>
      {(matrix) => (
        <>
          <div className="filters matrix-filters">
            <Choice
              label={t("shared.whichQuestions")}
              value={only}
              onChange={(kind) => setQuery({ only: kind === "all" ? null : kind, offset: null })}
              options={KINDS.map((kind) => ({
                value: kind,
                label: `${LABELS[kind]} ${formatCount(matrix.counts[kind] ?? 0)}`,
              }))}
            />
            <span className="muted small">
              {t("shared.pairedByArrowKeysMoveEnterShows", { paired_by: word(matrix.paired_by) })}
            </span>
          </div>
          {matrix.rows.length === 0 ? <EmptyState title={t(`matrix.no.${only}`)} /> : <Grid matrix={matrix} />}
          {matrix.total > PAGE && (
            <Paging
              total={matrix.total}
              limit={PAGE}
              offset={matrix.offset}
              onMove={(offset) => setQuery({ offset: offset || null }, false)}
            />
          )}
        </>
      )}
    </Await>
  );
}

const LABELS: Readonly<Record<Kind, string>> = {
  all: t("common.all"),
  changed: t("shared.changed"),
  lost: t("shared.lost"),
  gained: t("shared.gained"),
};

function Grid({ matrix }: { matrix: MatrixEntry }) {
  const [open, setOpen] = useState<string | null>(null);
  const move = (event: KeyboardEvent<HTMLTableElement>) => {
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], [FORWARD]: [0, 1], [BACK]: [0, -1] }[event.key];
    const at = document.activeElement;
    if (!step || !(at instanceof HTMLElement) || !at.dataset.row) return;
    event.preventDefault();
    const [row, column] = [Number(at.dataset.row) + step[0]!, Number(at.dataset.column) + step[1]!];
    event.currentTarget.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)?.focus();
  };
  return (
    <div className="matrix" role="region" aria-label={t("shared.questionsAndRunsScrollsSideways")} tabIndex={0}>
      <table onKeyDown={move}>
        <caption className="unseen">{t("shared.questionsAndRuns")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("shared.question")}</th>
            {matrix.runs.map((run) => (
              <th key={run} scope="col">
                <RunLink name={run} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row, place) => (
            <Row
              key={row.key}
              row={row}
              place={place}
              runs={matrix.runs}
              isOpen={open === row.key}
              onTurn={() => setOpen(open === row.key ? null : row.key)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  row,
  place,
  runs,
  isOpen,
  onTurn,
}: {
  row: MatrixRowEntry;
  place: number;
  runs: readonly string[];
  isOpen: boolean;
  onTurn: () => void;
}) {
  return (
    <>
      <tr data-change={row.change}>
        <th scope="row">
          <span className="excerpt" dir="auto">
            {row.query ?? row.key}
          </span>
          {row.query && row.query !== row.key && <span className="id block">{row.key}</span>}
        </th>
        {row.cells.map((cell, column) => (
          <td key={runs[column]}>
            {cell ? (
              <button
                type="button"
                className={`matrix-cell ${cell.status}`}
                data-row={place}
                data-column={column}
                aria-expanded={isOpen}
                aria-label={`${runs[column]}: ${word(cell.status)}${scoreOf(cell.score)}`}
                onClick={onTurn}
              >
                <span aria-hidden="true">{SIGNS[cell.status] ?? "·"}</span>
                <span className="number">{cell.score === null ? "" : formatScore(100 * cell.score)}</span>
              </button>
            ) : (
              <span className="muted">–</span>
            )}
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr className="matrix-open">
          <td colSpan={runs.length + 1}>
            <Answers row={row} runs={runs} />
          </td>
        </tr>
      )}
    </>
  );
}

const SIGNS: Readonly<Record<string, string>> = { passed: "✓", failed: "✗", unsure: "?" };

const scoreOf = (score: number | null) =>
  score === null ? "" : t("shared.score", { score: formatScore(100 * score) });

/** The answers side by side; each after the first shows what changed from the one before. */
function Answers({ row, runs }: { row: MatrixRowEntry; runs: readonly string[] }) {
  const known = row.cells
    .map((cell, column) => ({ cell, run: runs[column]! }))
    .filter((entry): entry is { cell: MatrixCell; run: string } => entry.cell !== null);
  return (
    <div className="answers">
      {known.map(({ cell, run }, index) => (
        <article key={run} aria-label={t("shared.answerOf", { run })}>
          <h3 dir="auto">
            <a href={href(pathTo("/tests/:id", { id: cell.test_id }))}>{run}</a> <Status word={cell.status} />
          </h3>
          <Diff before={index ? (known[index - 1]!.cell.response ?? "") : null} after={cell.response ?? ""} />
        </article>
      ))}
    </div>
  );
}

function Diff({ before, after }: { before: string | null; after: string }) {
  const parts = useMemo(() => (before === null ? null : diffWords(before, after)), [before, after]);
  return (
    <div className="data-text" dir="auto">
      {parts === null
        ? after
        : parts.map((part, index) =>
            part.kind === "removed" ? (
              <del key={index}>{part.text}</del>
            ) : part.kind === "added" ? (
              <ins key={index}>{part.text}</ins>
            ) : (
              part.text
            ),
          )}
      {after === "" && <span className="muted">{t("common.empty")}</span>}
    </div>
  );
}
