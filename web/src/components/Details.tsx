import { formatCount, formatNumber, labelOf } from "../lib/format";
import { t } from "../lib/messages";
import "./details.css";

type Flat = string | number | boolean | null;
type Row = Readonly<Record<string, Flat | readonly Flat[]>>;

/** Rows of a table in a detail; the others are counted. */
const SHOWN = 20;

/** What a metric noted beside its score: values, lists and small tables; whatever is deeper as JSON. */
export function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const told = Object.entries(details).filter(([, value]) => !isEmpty(value));
  return (
    <dl className="details">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            <Detail name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Detail({ name, value }: { name: string; value: unknown }) {
  if (isFlat(value)) return <span dir="auto">{written(value)}</span>;
  if (isList(value)) return <span dir="auto">{value.map(written).join(", ")}</span>;
  if (isTable(value)) return <Rows name={name} rows={value} />;
  if (isPairs(value))
    return <Rows name={name} rows={Object.entries(value).map(([key, found]) => ({ "": key, value: found }))} />;
  return (
    <pre className="raw" dir="auto" tabIndex={0}>
      {JSON.stringify(value, null, 1)}
    </pre>
  );
}

function Rows({ name, rows }: { name: string; rows: readonly Row[] }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const hasHead = !columns.includes("");
  return (
    <div className="details-table" tabIndex={0} role="group" aria-label={labelOf(name)}>
      <table>
        {hasHead && (
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {labelOf(column)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.slice(0, SHOWN).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} dir="auto" className={typeof row[column] === "number" ? "number" : ""}>
                  {[row[column] ?? ""].flat().map(written).join(", ")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN && <p>{t("shared.andMoreRows", { rows: rows.length - SHOWN })}</p>}
    </div>
  );
}

function written(value: Flat): string {
  if (typeof value === "boolean") return value ? t("common.yes") : t("common.no");
  if (typeof value === "number") return Number.isInteger(value) ? formatCount(value) : formatNumber(value);
  return value ?? "–";
}

const isFlat = (value: unknown): value is Flat => value === null || typeof value !== "object";
const isList = (value: unknown): value is readonly Flat[] => Array.isArray(value) && value.every(isFlat);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isRow = (value: unknown): value is Row =>
  isObject(value) && Object.values(value).every((part) => isFlat(part) || isList(part));
const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
const isPairs = (value: unknown): value is Readonly<Record<string, Flat>> =>
  isObject(value) && Object.values(value).every(isFlat);

/** Nothing was found, so nothing is said. */
function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}
