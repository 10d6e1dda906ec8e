import type { ReactNode } from "react";
import type { PageOfTestEntry, TestEntry } from "../api/generated/schema";
import { useRegistry } from "../api/registry";
import { formatMoment, formatScore, formatSeconds, formatValue } from "../lib/format";
import { t } from "../lib/messages";
import { inAddress, type SampleList } from "../lib/sample-list";
import { href, pathTo } from "../lib/url";
import { RunLink } from "./RunLink";
import { Meter } from "./ui/Meter";
import { Status } from "./ui/Status";
import { type Column, type ServerOrder, Table } from "./ui/Table";

const SCORE = { unit: "", range: [0, 1] as const };

/** Samples that a page of the list has. */
export const PAGE_SIZE = 50;

interface TestTableProps {
  page: PageOfTestEntry;
  caption: string;
  file: string;
  /** The metric whose result is shown beside each sample. */
  metric?: string;
  /** The list that the page is part of, for the addresses of its samples. */
  list: Omit<SampleList, "at">;
  hasRun?: boolean;
  onMove: (offset: number) => void;
  /** Where the server sorts the list. */
  server?: ServerOrder;
  tools?: ReactNode;
  empty: ReactNode;
}

/** Samples of one page of the server's list. */
export function TestTable({
  page,
  caption,
  file,
  metric,
  list,
  hasRun = false,
  onMove,
  server,
  tools,
  empty,
}: TestTableProps) {
  const { label, scale } = useRegistry();
  const places = new Map(page.items.map((test, index) => [test.test_id, page.offset + index]));
  const columns: Column<TestEntry>[] = [
    {
      id: "sample",
      label: t("common.sample"),
      order: "name",
      value: (test) => test.test_name,
      cell: (test) => (
        <>
          <a
            href={href(pathTo("/tests/:id", { id: test.test_id }), {
              metric,
              ...inAddress(list, places.get(test.test_id)!),
            })}
            dir="auto"
          >
            {test.test_name || test.test_id}
          </a>
          <br />
          <Status word={test.status} />
        </>
      ),
    },
    {
      id: "query",
      label: t("shared.queryAndResponse"),
      isWide: true,
      value: (test) => test.query,
      cell: (test) => (
        <span>
          <span className="excerpt muted" dir="auto">
            {test.query}
          </span>
          <span className="excerpt" dir="auto">
            {test.response}
          </span>
          {test.found_in.length > 0 && (
            <span className="tiny found-in">{t("shared.foundIn", { found_in: test.found_in.join(", ") })}</span>
          )}
        </span>
      ),
    },
    {
      id: "fails",
      label: t("common.failsBecauseOf"),
      value: (test) => test.fails.join(" "),
      cell: (test) =>
        test.fails.length === 0 ? (
          <span className="muted">–</span>
        ) : (
          <span className="badges">
            {test.fails.map((id) => (
              <a
                key={id}
                className="badge tone-bad chip"
                href={href(`/runs/${encodeURIComponent(test.run)}`, { tab: "samples", fails: id })}
                title={t("shared.allSamplesOfTheRunThatFail", { id })}
              >
                {label(id)}
              </a>
            ))}
          </span>
        ),
    },
    { id: "response", label: t("shared.response"), value: (test) => test.response },
    { id: "status", label: t("common.status"), value: (test) => test.status },
    {
      id: "score",
      label: t("common.score"),
      order: "score",
      help: t("shared.meanQualityOfTheScoredMetrics"),
      value: (test) => test.score,
      cell: (test) => (
        <span className="score-cell">
          <span className="number">{formatScore(test.score === null ? null : 100 * test.score)}</span>
          {test.score !== null && <Meter value={test.score} scale={SCORE} label={t("common.score")} />}
        </span>
      ),
    },
    {
      id: "duration",
      label: t("shared.time"),
      order: "duration",
      isNumber: true,
      value: (test) => test.duration,
      cell: (test) => (test.duration === null ? "–" : formatSeconds(test.duration)),
    },
    {
      id: "language",
      label: t("common.language"),
      order: "language",
      value: (test) => test.language,
      cell: (test) => test.language,
    },
  ];
  if (metric)
    columns.splice(4, 0, {
      id: metric,
      label: label(metric),
      order: "value",
      value: (test) => test.value,
      cell: (test) => (
        <span>
          <strong className="number">{formatValue(test.value, scale(metric))}</strong>
          <span className="excerpt muted small reason" dir="auto" title={test.explanation ?? undefined}>
            {test.explanation}
          </span>
        </span>
      ),
    });
  if (hasRun) {
    columns.push({
      id: "run",
      label: t("common.run"),
      value: (test) => test.run,
      cell: (test) => <RunLink name={test.run} />,
    });
    columns.push({
      id: "timestamp",
      label: t("common.when"),
      value: (test) => test.timestamp,
      cell: (test) => <span className="number">{formatMoment(test.timestamp)}</span>,
    });
  }
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={page.items}
      rowKey={(test) => test.test_id}
      file={file}
      tools={tools}
      empty={empty}
      server={server}
      hideName={server ? "hide" : undefined}
      isSticky={Boolean(server)}
      paging={{ total: page.total, limit: page.limit, offset: page.offset, onMove }}
    />
  );
}
