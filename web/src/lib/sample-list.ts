/** The list that a sample was opened from, as kept in its address: so that the next one is one step away. */
import type { Operations } from "../api/generated/schema";
import type { Query } from "./url";

/** The failed tests of a period, or the samples of a run. */
const LISTS = ["run", "failures"] as const;
const FILTERS = [
  "run",
  "hours",
  "status",
  "tag",
  "language",
  "text",
  "fails",
  "order",
  "from_value",
  "to_value",
] as const;
type Status = Operations["list_tests"]["given"]["status"];

export interface SampleList {
  from: (typeof LISTS)[number];
  /** The metric that decides what is worst. */
  by?: string;
  filters: Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;
  /** The sample's place in it, from 0. */
  at: number;
}

/** The list in the address of a sample; null when it was not opened from one. */
export function listOf(query: Readonly<Record<string, string>>): SampleList | null {
  const from = LISTS.find((name) => name === query.from);
  const at = Number(query.at);
  if (!from || !Number.isInteger(at) || at < 0) return null;
  return {
    from,
    by: query.by || undefined,
    at,
    filters: Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : []))),
  };
}

/** The list for the address of the sample at a place in it. */
export function inAddress(list: Omit<SampleList, "at">, at: number): Query {
  return { ...list.filters, from: list.from, by: list.by, at };
}

/** What to ask the server for a sample and its neighbours. */
export function aroundOf({ from, by, filters, at }: SampleList): Operations["list_tests"]["given"] {
  const { hours, status, from_value: low, to_value: high, ...words } = filters;
  return {
    ...words,
    value_from: low ? Number(low) : undefined,
    value_to: high ? Number(high) : undefined,
    hours: hours ? Number(hours) : undefined,
    status: from === "failures" ? "failed" : (status as Status),
    metric: by,
    limit: 3,
    offset: Math.max(0, at - 1),
  };
}

/** The address of the page that shows the list where the sample stands. */
export function backTo({ from, by, filters, at }: SampleList, pageSize: number): [path: string, query: Query] {
  const { run = "", ...words } = filters;
  const offset = Math.floor(at / pageSize) * pageSize || null;
  return from === "failures"
    ? ["/failures", { ...words, run, offset }]
    : [`/runs/${encodeURIComponent(run)}`, { tab: "samples", ...words, metric: by, offset }];
}
