/** The words of the interface, out of the message files. */
import { createElement, Fragment, type ReactNode } from "react";
import type en from "../messages/en.json";
import { locale, type Message, ownMessages } from "./language";

export type Key = keyof typeof en;
type Plain = string | number | boolean | null | undefined;

const numbers = new Intl.NumberFormat(locale);
const plurals = new Intl.PluralRules(locale);
/** Whether the pages run from the right. */
export const isFromRight = messageOf("language.direction") === "rtl";
/** What an element says of a sentence that comes in English whatever the reader's language, as explanations do. */
export const IN_ENGLISH = { lang: "en", dir: "ltr" } as const;
const hasOwnDigits = numbers.resolvedOptions().numberingSystem !== "latn";

/** A message in words; `{name}` in it stands for the value of that name, and numbers are written by locale. */
export function t(key: Key, values: Readonly<Record<string, Plain>> = {}): string {
  return parts(messageOf(key), values)
    .map((part) => (typeof part === "string" ? part : written(values[part.name])))
    .join("");
}

/** A message with elements inside it. */
export function rich(key: Key, values: Readonly<Record<string, ReactNode>>): ReactNode {
  return parts(messageOf(key), values).map((part, index) =>
    typeof part === "string"
      ? part
      : createElement(
          Fragment,
          { key: index },
          typeof values[part.name] === "number" ? written(values[part.name] as number) : values[part.name],
        ),
  );
}

/** A word of the server in the reader's language; what the files do not know stays as it is. */
export function word(said: string): string {
  const key = `word.${said}`;
  return hasMessage(key) ? t(key) : said;
}

export function hasMessage(key: string): key is Key {
  return key in ownMessages;
}

function messageOf(key: Key): Message {
  return ownMessages[key] ?? key;
}

function parts(message: Message, values: Readonly<Record<string, unknown>>): (string | { name: string })[] {
  return formOf(message, values)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => (/^\{\w+\}$/.test(part) ? { name: part.slice(1, -1) } : inOwnDigits(part)));
}

function formOf(message: Message, values: Readonly<Record<string, unknown>>): string {
  if (typeof message === "string") return message;
  const count = message.by ? values[message.by] : Object.values(values).find((value) => typeof value === "number");
  if (typeof count !== "number") return message.other;
  return (count === 0 && message.zero) || message[plurals.select(count)] || message.other;
}

function written(value: Plain): string {
  if (typeof value === "number") return numbers.format(value);
  return value && typeof value === "string" ? kept(value, "\u2068") : "";
}

/** A text whose order stays as it is inside one that runs from the right: a number with its sign, a name. */
export function kept(text: string, mark = "\u2066"): string {
  return isFromRight ? `${mark}${text}\u2069` : text;
}

/** Digits that stand in a message are the locale's too; those of a name such as `v1` are not. */
function inOwnDigits(text: string): string {
  return hasOwnDigits ? text.replace(/(?<![A-Za-z])\d+/g, (digits) => numbers.format(Number(digits))) : text;
}
