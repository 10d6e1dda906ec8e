import { type ReactNode, useMemo } from "react";
import { t } from "../../lib/messages";
import { type Cell, save, toCsv, toJson } from "../../lib/table-file";
import { useQuery } from "../../lib/url";
import { Button } from "./Button";
import { Paging, type PagingProps } from "./Paging";

export interface Column<Row> {
  id: string;
  label: string;
  /** What is shown; a column without it stands in files only. */
  cell?: (row: Row) => ReactNode;
  /** What it is sorted by and written to files as. */
  value?: (row: Row) => Cell;
  isNumber?: boolean;
  /** Takes the room that is left. */
  isWide?: boolean;
  /** What the column means, on hover. */
  help?: string;
  /** What the server calls the order by this column, where it is the server that sorts. */
  order?: string;
}

/** An order that the server keeps: a column's, with a minus in front for the largest first. */
export interface ServerOrder {
  order: string;
  onSort: (order: string) => void;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The name of exported files. */
  file: string;
  /** The part of the address that holds the order; without it the rows stay as they are. */
  sortName?: string;
  /** The order at first: a column's id, with a minus in front for the largest first. */
  sortedBy?: string;
  /** Rows shown at a time when all rows are here; `paging` when the server has the others. */
  pageSize?: number;
  paging?: PagingProps;
  /** Where the server sorts. */
  server?: ServerOrder;
  tools?: ReactNode;
  /** What is shown instead of a table without rows; the tools stay. */
  empty?: ReactNode;
  /** The part of the address that holds the columns that are not shown; without it all are. */
  hideName?: string;
  /** Keep the headings in sight on large screens. */
  isSticky?: boolean;
}

/** Rows that can be sorted, turned over and saved. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  file,
  sortName,
  sortedBy = "",
  pageSize,
  paging,
  server,
  tools,
  empty,
  hideName,
  isSticky = false,
}: TableProps<Row>) {
  const [query, setQuery] = useQuery();
  const order = (sortName && query[sortName]) || sortedBy;
  const sorted = useMemo(() => (sortName ? sortRows(rows, columns, order) : rows), [rows, columns, order, sortName]);
  const offset =
    pageSize && sortName ? Math.min(Number(query[`${sortName}-at`]) || 0, Math.max(0, sorted.length - 1)) : 0;
  const shown = pageSize ? sorted.slice(offset, offset + pageSize) : sorted;
  const pages: PagingProps | undefined =
    paging ??
    (pageSize && sorted.length > pageSize
      ? {
          total: sorted.length,
          limit: pageSize,
          offset,
          onMove: (next) => setQuery({ [`${sortName}-at`]: next || null }),
        }
      : undefined);

  const hidden = new Set((hideName && query[hideName]?.split(",")) || []);
  const showable = columns.filter((column) => column.cell);
  const visible = showable.filter((column, index) => index === 0 || !hidden.has(column.id));

  const write = (kind: "csv" | "json") => {
    const written = columns.filter((column) => column.value);
    const cells = sorted.map((row) => written.map((column) => column.value!(row)));
    const header = written.map((column) => column.id);
    if (kind === "csv") save(`${file}.csv`, toCsv(header, cells), "text/csv");
    else save(`${file}.json`, toJson(header, cells), "application/json");
  };

  return (
    <div className="table-frame">
      <div className="table-tools">
        {tools}
        {hideName && rows.length > 0 && (
          <ColumnMenu
            columns={showable.slice(1)}
            hidden={hidden}
            onChange={(next) => setQuery({ [hideName]: [...next].join(",") })}
          />
        )}
        {rows.length > 0 && (
          <span
            className={hideName ? "saves" : "push saves"}
            title={
              paging && paging.total > rows.length ? t("shared.theRowsOfThisPage", { rows: rows.length }) : undefined
            }
          >
            <Button
              kind="quiet"
              icon="download"
              aria-label={t("shared.saveAsCSV", { caption })}
              onClick={() => write("csv")}
            >
              CSV
            </Button>
            <Button
              kind="quiet"
              icon="download"
              aria-label={t("shared.saveAsJSON", { caption })}
              onClick={() => write("json")}
            >
              JSON
            </Button>
          </span>
        )}
      </div>
      {rows.length === 0 && empty}
      <div
        className={isSticky ? "table-scroll sticky-head" : "table-scroll"}
        tabIndex={sortName ? undefined : 0} // a table without buttons is scrolled by keyboard from here
        hidden={rows.length === 0 && empty !== undefined}
      >
        <table>
          <caption className="unseen">{caption}</caption>
          <thead>
            <tr>
              {visible.map((column) => (
                <Heading
                  key={column.id}
                  column={server ? { ...column, id: column.order ?? `:${column.id}` } : column}
                  order={server ? server.order : order}
                  onSort={
                    server
                      ? column.order
                        ? server.onSort
                        : undefined
                      : sortName && column.value
                        ? (next) => setQuery({ [sortName]: next, [`${sortName}-at`]: null })
                        : undefined
                  }
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={rowKey(row)}>
                {visible.map((column) => (
                  <td key={column.id} data-label={column.label} className={cellClass(column)}>
                    <div className="cell">{column.cell!(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages && <Paging {...pages} />}
    </div>
  );
}

/** Which columns are shown. */
function ColumnMenu<Row>({
  columns,
  hidden,
  onChange,
}: {
  columns: readonly Column<Row>[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}) {
  const turn = (id: string) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <details className="menu-list push">
      <summary className="button quiet">{t("shared.columns")}</summary>
      <ul>
        {columns.map((column) => (
          <li key={column.id}>
            <label>
              <input type="checkbox" checked={!hidden.has(column.id)} onChange={() => turn(column.id)} /> {column.label}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}

function cellClass<Row>(column: Column<Row>): string {
  return [column.isNumber && "number end", column.isWide && "wide"].filter(Boolean).join(" ");
}

function Heading<Row>({
  column,
  order,
  onSort,
}: {
  column: Column<Row>;
  order: string;
  onSort?: (order: string) => void;
}) {
  const isUp = order === column.id;
  const isDown = order === `-${column.id}`;
  return (
    <th
      scope="col"
      className={cellClass(column)}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : undefined}
      title={column.help}
    >
      {onSort ? (
        <button type="button" className="sort" onClick={() => onSort(isUp ? `-${column.id}` : column.id)}>
          {column.label}
          <span aria-hidden="true" className="sort-sign">
            {isUp ? "↑" : isDown ? "↓" : ""}
          </span>
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

/** Rows in order, those without a value last whichever way. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: string): readonly Row[] {
  const isDown = order.startsWith("-");
  const value = columns.find((column) => column.id === order.replace(/^-/, ""))?.value;
  if (!value) return rows;
  const isAbsent = (cell: Cell) => cell === null || cell === undefined;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (isAbsent(x) || isAbsent(y)) return Number(isAbsent(x)) - Number(isAbsent(y));
    const way = typeof x === "string" && typeof y === "string" ? x.localeCompare(y) : Number(x) - Number(y);
    return isDown ? -way : way;
  });
}
