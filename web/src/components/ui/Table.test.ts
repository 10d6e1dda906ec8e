import { expect, it } from "vitest";
import { type Column, sortRows } from "./Table";

interface Row {
  name: string;
  score: number | null;
}
const columns: Column<Row>[] = [
  { id: "name", label: "Name", cell: (row) => row.name, value: (row) => row.name },
  { id: "score", label: "Score", cell: (row) => row.score, value: (row) => row.score },
];
const rows: Row[] = [
  { name: "b", score: null },
  { name: "a", score: 2 },
  { name: "c", score: -1 },
];
const names = (order: string) =>
  sortRows(rows, columns, order)
    .map((row) => row.name)
    .join("");

it.each([
  ["name", "abc"],
  ["-name", "cba"],
  ["score", "cab"],
  ["-score", "acb"],
  ["", "bac"],
  ["unknown", "bac"],
])("orders by %j", (order, expected) => {
  expect(names(order)).toBe(expected);
});
