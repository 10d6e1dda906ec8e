/** What metrics and families are called in the reader's language; the server says it in English. */
import { language, ownMetricWords } from "./language";
import { IN_ENGLISH } from "./messages";

/** The name of a metric for people. */
export function labelOfMetric({ id, label }: { id: string; label: string }): string {
  return ownMetricWords[id]?.label ?? label;
}

/** What a metric or a family measures, in one line. */
export function summaryOf({ id, summary }: { id: string; summary: string }): string {
  return ownMetricWords[id]?.summary ?? summary;
}

/** What an element says of the words inside it: English where the language has none of its own for this id. */
export function languageOf(id: string): { lang?: string; dir?: string } {
  return language === "en" || ownMetricWords[id] ? {} : IN_ENGLISH;
}
