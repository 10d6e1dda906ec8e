/** Documents as people paste them: text that should be JSON. */
import { t } from "../../lib/messages";

/** What is wrong with text that has to be JSON; empty when nothing is. */
export function jsonProblem(text: string): string {
  if (!text.trim()) return t("json.pasteAJSONDocumentOrOpen");
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return t("common.thisIsNotJSON", { message: error instanceof Error ? error.message : String(error) });
  }
}

/** The outputs of a file: items of a list, lines of JSON Lines, or the whole text as one. */
export function splitOutputs(text: string): string[] {
  try {
    const whole: unknown = JSON.parse(text);
    return Array.isArray(whole) && whole.length
      ? whole.map((item) => (typeof item === "string" ? item : JSON.stringify(item, null, 2)))
      : [text];
  } catch {
    const lines = text.split("\n").filter((line) => line.trim());
    return lines.length > 1 && lines.every(isJson) ? lines : [text];
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A value of a document as text; absent and null are said apart by their bucket. */
export function valueText(value: unknown): string {
  return value === undefined
    ? ""
    : typeof value === "object" && value !== null
      ? JSON.stringify(value, null, 1)
      : JSON.stringify(value);
}
