/** Tables as files. Text that a spreadsheet would take for a formula gets a `'` in front. */

export type Cell = string | number | boolean | null | undefined;

/** https://owasp.org/www-community/attacks/CSV_Injection; wide forms count as the plain ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(csvCell).join(",")}\n`).join("");
}

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function toJson(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const records = rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? null])));
  return `${JSON.stringify(records, null, 2)}\n`;
}

/** Let the browser save a text under a name. */
export function save(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

export function saveBlob(name: string, made: Blob): void {
  const address = URL.createObjectURL(made);
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/[^\w.-]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
