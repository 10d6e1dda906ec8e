/** Names of what is configured, and the weights inside it. */

import type { ProfileEntry } from "../../api/generated/schema";
import { t } from "../../lib/messages";

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** What is wrong with the name of something new; empty when nothing is. */
export function nameProblem(name: string, taken: readonly string[]): string {
  if (!NAME.test(name)) return t("common.expectedLettersDigitsOrAtMost");
  return taken.includes(name) ? t("configuration.thisNameIsTaken") : "";
}

/** A name that is free, made from another. */
export function freeName(name: string, taken: readonly string[]): string {
  const base = `${name}-own`.slice(0, 60);
  for (let number = 1; ; number += 1) {
    const made = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(made)) return made;
  }
}

/** The metric whose options hold the weights of a preset, as its profile says. */
export function weighted(profile: Pick<ProfileEntry, "options">): string | undefined {
  return Object.keys(profile.options).find((id) => typeof profile.options[id]?.weights === "object");
}

/** What is wrong with a number on a metric's scale; empty when nothing is. */
export function valueProblem(text: string, range: readonly [number | null, number | null]): string {
  const value = Number(text);
  if (!text.trim() || !Number.isFinite(value)) return t("common.expectedANumber");
  const [low, high] = range;
  if (low !== null && value < low)
    return high === null ? t("common.expectedOrMore", { low }) : t("common.expectedTo", { low, high });
  if (high !== null && value > high)
    return low === null ? t("configuration.expectedAtMost", { high }) : t("common.expectedTo", { low, high });
  return "";
}

/** What changed between two maps of numbers: new values, and null for what is gone. */
export function changesOf(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): { [name: string]: number | null } {
  const gone = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.entries(after).filter(([name, value]) => before[name] !== value);
  return Object.fromEntries([...changed, ...gone.map((name) => [name, null] as const)]);
}
