/** Field strategies as a strategy file has them: a word, or an object with options. */
import { t } from "./messages";

export const STRATEGIES = ["AUTO", "EXACT", "FUZZY", "SEMANTIC", "IGNORE"] as const;

/** What a strategy means, in words. */
export const STRATEGY_WORDS: Readonly<Record<string, string>> = {
  AUTO: t("shared.byTheTypeOfTheValue"),
  EXACT: t("shared.theSameTextIgnoringCase"),
  FUZZY: t("shared.similarInSpelling"),
  SEMANTIC: t("shared.similarInMeaning"),
  IGNORE: t("shared.notCompared"),
};

/** A strategy as people edit it: everything is text or a choice; what is empty is as for the whole document. */
export interface StrategyDraft {
  field: string;
  strategy: string;
  threshold: string;
  numeric_tolerance: string;
  date: string;
  list_alignment: string;
  list_key: string;
  list_order_matters: string;
  number_without_units: string;
  ignore_case: string;
  ignore_whitespace: string;
}

export const EMPTY_DRAFT: StrategyDraft = {
  field: "",
  strategy: "EXACT",
  threshold: "",
  numeric_tolerance: "",
  date: "",
  list_alignment: "",
  list_key: "",
  list_order_matters: "",
  number_without_units: "",
  ignore_case: "",
  ignore_whitespace: "",
};

const NUMBERS = ["threshold", "numeric_tolerance"] as const;
const WORDS = ["date", "list_alignment", "list_key"] as const;
export const SWITCHES = ["list_order_matters", "number_without_units", "ignore_case", "ignore_whitespace"] as const;

export type StrategyEntry = string | Readonly<Record<string, unknown>>;

/** The word of an entry of a strategy file. */
export function strategyOf(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const word = (entry as Record<string, unknown> | null)?.strategy;
  return typeof word === "string" ? word : "AUTO";
}

/** The options of an entry in one line; empty when it has none. */
export function optionsOf(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return "";
  return Object.entries(entry)
    .filter(([name]) => name !== "strategy")
    .map(([name, value]) => {
      const written = value === true ? t("common.yes") : value === false ? t("common.no") : String(value);
      return `${name.replaceAll("_", " ")} ${written}`;
    })
    .join(", ");
}

/** An entry for editing. */
export function draftOf(field: string, entry: unknown): StrategyDraft {
  const options = typeof entry === "object" && entry !== null ? (entry as Record<string, unknown>) : {};
  const text = (value: unknown) =>
    value === undefined || value === null ? "" : value === true ? "yes" : value === false ? "no" : String(value);
  const draft = { ...EMPTY_DRAFT, field, strategy: strategyOf(entry) };
  for (const name of [...NUMBERS, ...WORDS, ...SWITCHES]) draft[name] = text(options[name]);
  return draft;
}

/** The draft as an entry: a word where there are no options. */
export function entryOf(draft: StrategyDraft): StrategyEntry {
  const options: Record<string, unknown> = {};
  for (const name of NUMBERS) if (draft[name].trim()) options[name] = Number(draft[name]);
  for (const name of WORDS) if (draft[name]) options[name] = draft[name];
  for (const name of SWITCHES) if (draft[name]) options[name] = draft[name] === "yes";
  return Object.keys(options).length ? { strategy: draft.strategy, ...options } : draft.strategy;
}

/** The same entry with another strategy; its options stay. */
export function withStrategy(entry: unknown, strategy: string): StrategyEntry {
  return typeof entry === "object" && entry !== null ? { ...entry, strategy } : strategy;
}

/** What is wrong with a number that may be left empty. */
export function numberProblem(text: string, low: number, high: number): string {
  if (!text.trim()) return "";
  const value = Number(text);
  if (!Number.isFinite(value)) return t("common.expectedANumber");
  if (value < low || value > high)
    return Number.isFinite(high) && high < 1e300
      ? t("common.expectedTo", { low, high })
      : t("common.expectedOrMore", { low });
  return "";
}
