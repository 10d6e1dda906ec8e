/** A sample's texts under the names that evidence knows them by. */
import type { ResultEntry, SampleEntry } from "../api/generated/schema";
import { formatCount, formatNumber, formatSeconds, labelOf } from "./format";
import { t } from "./messages";

export interface TextField {
  /** As in a span: `response`, `contexts[0]`. */
  field: string;
  label: string;
  text: string;
  /** Where a piece of context comes from. */
  note?: string;
}

/** Something that was said in a conversation. */
export interface Turn {
  role: string;
  content: string;
}

const TEXTS = ["query", "response", "expected", "gold_context"] as const;
const LISTS = ["expected_sources", "known_facts", "candidates", "responses", "previous_responses"] as const;

/** Texts that a person reads first: what was asked, what was answered, what was wanted. */
export function mainTexts(sample: SampleEntry): TextField[] {
  return TEXTS.flatMap((field) => {
    const text = sample[field];
    return text === null || text === undefined ? [] : [{ field, label: labelOf(field), text }];
  });
}

export function contextTexts(sample: SampleEntry): TextField[] {
  return sample.contexts.map((document, index) => ({
    field: `contexts[${index}]`,
    label: t("common.context", { index: index + 1 }),
    text: document.content,
    note: [
      document.source ?? document.id,
      document.page === null || document.page === undefined ? "" : t("shared.page", { page: document.page }),
      document.similarity_score === null || document.similarity_score === undefined
        ? ""
        : t("shared.similarity", { similarity_score: formatNumber(document.similarity_score) }),
    ]
      .filter(Boolean)
      .join(" · "),
  }));
}

export function listTexts(sample: SampleEntry): TextField[] {
  const listed = LISTS.flatMap((field) =>
    sample[field].map((text, index) => ({
      field: `${field}[${index}]`,
      label: `${labelOf(field)} ${index + 1}`,
      text,
    })),
  );
  const translated = Object.entries(sample.translations).map(([language, text]) => ({
    field: `translations[${language}]`,
    label: t("shared.translation", { language }),
    text,
  }));
  return [...listed, ...translated];
}

/** The turns of the conversation; none where the sample has none. */
export function turnsOf(sample: Pick<SampleEntry, "conversation">): Turn[] {
  const text = (value: unknown) =>
    typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
  return (sample.conversation ?? []).map(({ role, content }) => ({ role: text(role), content: text(content) }));
}

/** Values of JSON fields, written out. */
export function jsonTexts(sample: SampleEntry): TextField[] {
  return (["expected_json", "response_json", "json_schema"] as const).flatMap((field) => {
    const value = sample[field];
    return value === null || value === undefined
      ? []
      : [{ field, label: labelOf(field), text: JSON.stringify(value, null, 2) }];
  });
}

/** Small facts, in words. */
export function facts(sample: SampleEntry): [string, string][] {
  const found: [string, string | null | undefined][] = [
    [t("common.language"), sample.language],
    [
      t("shared.time"),
      sample.duration === null || sample.duration === undefined ? null : formatSeconds(sample.duration),
    ],
    [
      t("shared.firstToken"),
      sample.first_token_time === null || sample.first_token_time === undefined
        ? null
        : formatSeconds(sample.first_token_time),
    ],
    [t("shared.tokens"), sample.response_tokens?.toString()],
    [
      t("shared.taskCompleted"),
      sample.task_completed === null || sample.task_completed === undefined
        ? null
        : sample.task_completed
          ? t("common.yes")
          : t("common.no"),
    ],
    [
      t("shared.steps"),
      sample.steps_taken === null || sample.steps_taken === undefined
        ? null
        : [
            formatCount(sample.steps_taken),
            sample.expected_steps ? t("shared.expected", { expected_steps: sample.expected_steps }) : "",
          ].join(""),
    ],
    [t("common.errors"), sample.errors_encountered?.toString()],
  ];
  return found.filter((entry): entry is [string, string] => Boolean(entry[1]));
}

/** The weakest metric that can show why in the response; one that failed goes first. */
export function firstToShow(results: Readonly<Record<string, ResultEntry>>): string {
  const shown = Object.entries(results).filter(([, result]) =>
    result.evidence.some((span) => span.field === "response"),
  );
  const weight = (result: ResultEntry) => (result.gates && result.verdict === "fail" ? 0 : 1) + (result.quality ?? 1);
  return shown.sort(([, a], [, b]) => weight(a) - weight(b))[0]?.[0] ?? "";
}
