/** A sample as people type it. */
import { t } from "../../lib/messages";

export interface SampleDraft {
  query: string;
  response: string;
  contexts: readonly string[];
  expected: string;
  /** Additional fields as a JSON object. */
  more: string;
}

export const EMPTY_SAMPLE: SampleDraft = { query: "", response: "", contexts: [""], expected: "", more: "" };

export const EXAMPLE_SAMPLE: SampleDraft = {
  query: "When was the Burj Khalifa opened, and how tall is it?",
  response:
    "The Burj Khalifa was opened on 4 January 2010. It is 828 metres tall and has 211 floors. " +
    "For the press kit write to press@tower.example.",
  contexts: [
    "The Burj Khalifa in Dubai was officially opened on 4 January 2010. " +
      "With a height of 828 metres it is the tallest building in the world. It has 163 floors.",
  ],
  expected: "It was opened on 4 January 2010 and is 828 metres tall.",
  more: "",
};

export interface SampleProblems {
  response?: string;
  more?: string;
}

export function problemsOf(draft: SampleDraft): SampleProblems {
  const found: SampleProblems = {};
  if (!draft.response.trim() && !draft.more.trim()) found.response = t("tryIt.pasteTheAnswerToBeScored");
  try {
    moreOf(draft.more);
  } catch (error) {
    found.more = error instanceof Error ? error.message : String(error);
  }
  return found;
}

/** The sample as the server takes it; what is empty is left out. */
export function sampleOf(draft: SampleDraft): { [name: string]: unknown } {
  const contexts = draft.contexts.filter((text) => text.trim());
  const texts = Object.entries({ query: draft.query, response: draft.response, expected: draft.expected }).filter(
    ([, text]) => text.trim(),
  );
  return { ...moreOf(draft.more), ...Object.fromEntries(texts), ...(contexts.length ? { contexts } : {}) };
}

function moreOf(text: string): { [name: string]: unknown } {
  if (!text.trim()) return {};
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new Error(t("common.thisIsNotJSON", { message: error instanceof Error ? error.message : String(error) }));
  }
  if (typeof found !== "object" || found === null || Array.isArray(found))
    throw new Error(t("tryIt.expectedAnObjectNameOfThe"));
  return found as { [name: string]: unknown };
}

/** The texts of a draft under the names that evidence knows them by. */
export function textsOf(draft: SampleDraft): { field: string; label: string; text: string }[] {
  const contexts = draft.contexts.filter((text) => text.trim());
  return [
    { field: "query", label: t("common.query"), text: draft.query },
    { field: "response", label: t("common.answer"), text: draft.response },
    { field: "expected", label: t("tryIt.expectedAnswer"), text: draft.expected },
    ...contexts.map((text, index) => ({
      field: `contexts[${index}]`,
      label: t("common.context", { index: index + 1 }),
      text,
    })),
  ].filter(({ text }) => text.trim());
}

/** Requests to make: one for each family, so that scores show as they come. */
export function partsOf(metrics: readonly string[]): string[][] {
  return metrics.length ? metrics.map((name) => [name]) : [[]];
}
