/** The choices of a comparison as a form holds them. */
import type { JsonOptionsBody } from "../../api/generated/schema";
import { t } from "../../lib/messages";
import { numberProblem } from "../../lib/strategies";

export interface OptionsDraft {
  depth: "top" | "nested";
  list_alignment: "order" | "best" | "key";
  list_key: string;
  date: "" | "ymd" | "dmy" | "mdy";
  ignore_scope: "accuracy" | "all";
  vacuous_accuracy: "one" | "zero" | "none";
  numbers: Readonly<Record<NumberName, string>>;
  switches: Readonly<Record<SwitchName, boolean>>;
  repair: boolean;
}

export const NUMBERS = {
  fuzzy_threshold: { label: t("json.fuzzyThreshold"), high: 1 },
  semantic_threshold: { label: t("json.semanticThreshold"), high: 1 },
  text_threshold: { label: t("json.textThreshold"), high: 1 },
  numeric_tolerance: { label: t("common.numericTolerance"), high: 1e300 },
  w_accuracy: { label: t("json.weightOfAccuracy"), high: 1e6 },
  w_completeness: { label: t("json.weightOfCompleteness"), high: 1e6 },
  w_hallucination: { label: t("json.weightOfNoHallucination"), high: 1e6 },
  w_safety: { label: t("json.weightOfSafety"), high: 1e6 },
} as const;
export type NumberName = keyof typeof NUMBERS;

export const SWITCHES = {
  typed: t("json.compareFieldsWithoutAStrategyBy"),
  ignore_case: t("common.ignoreCase"),
  ignore_whitespace: t("common.ignoreWhitespace"),
  number_without_units: t("json.read1000KgAs1000"),
  count_null_extras: t("json.extraFieldsThatAreNullCount"),
} as const;
export type SwitchName = keyof typeof SWITCHES;

export const DEFAULTS: OptionsDraft = {
  depth: "top",
  list_alignment: "order",
  list_key: "",
  date: "",
  ignore_scope: "accuracy",
  vacuous_accuracy: "one",
  numbers: {
    fuzzy_threshold: "",
    semantic_threshold: "",
    text_threshold: "",
    numeric_tolerance: "",
    w_accuracy: "",
    w_completeness: "",
    w_hallucination: "",
    w_safety: "",
  },
  switches: {
    typed: true,
    ignore_case: true,
    ignore_whitespace: false,
    number_without_units: false,
    count_null_extras: true,
  },
  repair: false,
};

/** The choices as the server takes them; numbers that are left empty are as documented. */
export function bodyOf(draft: OptionsDraft): JsonOptionsBody {
  const { depth, list_alignment, list_key, date, ignore_scope, vacuous_accuracy, switches } = draft;
  const numbers = Object.entries(draft.numbers).filter(([, text]) => text.trim());
  return {
    depth,
    list_alignment,
    list_key,
    date,
    ignore_scope,
    vacuous_accuracy,
    ...switches,
    ...Object.fromEntries(numbers.map(([name, text]) => [name, Number(text)])),
  };
}

/** What is wrong with the choices, by name; empty when nothing is. */
export function problemsOf(draft: OptionsDraft): Readonly<Record<string, string>> {
  const found: [string, string][] = Object.entries(draft.numbers).map(([name, text]) => [
    name,
    numberProblem(text, 0, NUMBERS[name as NumberName].high),
  ]);
  if (draft.list_alignment === "key" && !draft.list_key)
    found.push(["list_key", t("json.enterTheKeyThatIdentifiesItems")]);
  return Object.fromEntries(found.filter(([, problem]) => problem));
}
