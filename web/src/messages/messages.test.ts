/** The message files are whole, used, and the only place with words of the interface. */
import { parseAst } from "vite";
import { describe, expect, test } from "vitest";
import type { Message, Messages } from "../lib/language";
import { NOT_IN_REPORTS, ONLY_IN_REPORTS } from "./areas";
import en from "./en.json";

const english: Messages = en;
const others = Object.entries(import.meta.glob<Messages>("./*.json", { eager: true, import: "default" }))
  .map(([path, messages]) => ({ code: path.replace(/^\.\/|\.json$/g, ""), messages }))
  .filter(({ code }) => code !== "en");
const files = Object.entries(
  import.meta.glob<string>("../**/*.{ts,tsx}", { eager: true, import: "default", query: "?raw" }),
)
  .filter(([name]) => !/\.test\.|generated|example\.ts$/.test(name))
  .map(([name, text]) => ({ name, text }));

const formsOf = (message: Message) =>
  typeof message === "string"
    ? [message]
    : Object.entries(message).flatMap(([form, text]) => (form === "by" ? [] : [text ?? ""]));
const holesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe.each(others)("$code", ({ code, messages }) => {
  test("has every message of the English file and no other", () => {
    expect(Object.keys(messages)).toEqual(Object.keys(english));
  });

  test("takes the same values in every message", () => {
    const isOdd = (key: string) => {
      const wanted = holesOf(formsOf(english[key]!).at(-1)!);
      const forms = formsOf(messages[key]!);
      return (
        holesOf(forms.at(-1)!).join() !== wanted.join() ||
        forms.some((form) => holesOf(form).some((hole) => !wanted.includes(hole)))
      );
    };
    expect(Object.keys(english).filter(isOdd)).toEqual([]);
  });

  test("has all plural forms of its language", () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories.filter((form) => form !== "zero");
    for (const message of Object.values(messages))
      if (typeof message !== "string") expect(Object.keys(message)).toEqual(expect.arrayContaining(forms));
  });
});

test("every form of an English message takes the values of the others", () => {
  const isOdd = (key: string) => {
    const forms = formsOf(english[key]!);
    return forms.some((form) => holesOf(form).some((hole) => !holesOf(forms.at(-1)!).includes(hole)));
  };
  expect(Object.keys(english).filter(isOdd)).toEqual([]);
});

test("every message is used", () => {
  const code = files.map(({ text }) => text).join("\n");
  const begun = [...code.matchAll(/`([\w.]+\.)\$\{/g)].map(([, begin]) => begin!);
  const isUsed = (key: string) => code.includes(`"${key}"`) || begun.some((begin) => key.startsWith(begin));
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([]);
});

/** The files that one imports, directly or not; names are relative to this folder. */
function importedBy(name: string, seen = new Set<string>()): Set<string> {
  const file = files.find((one) => one.name.replace(/\.tsx?$/, "") === name);
  if (!file || seen.has(file.name)) return seen;
  seen.add(file.name);
  const folder = file.name.replace(/[^/]*$/, "");
  for (const [, path] of file.text.matchAll(/^(?!import type).* from "(\.[^"]+)"/gm))
    importedBy(
      new URL(`${folder}${path}`, "file:///a/b/").pathname.replace(/^\/a\//, "../").replace("../b/", "./"),
      seen,
    );
  return seen;
}

/** The keys of messages that some files name. */
const keysIn = (some: typeof files) =>
  some
    .flatMap(({ text }) => [...text.matchAll(/["`]([a-zA-Z]+\.[\w.]+)["`]/g)].map(([, key]) => key!))
    .filter((key) => key in english);

test("a report has all messages of its pages", () => {
  const names = importedBy("../report/main");
  expect(names).toContain("../pages/Run/RunMetrics.tsx");
  const keys = keysIn(files.filter(({ name }) => names.has(name)));
  expect(keys.filter((key) => NOT_IN_REPORTS.test(key))).toEqual([]);
});

test("the dashboard has all messages of its pages", () => {
  const keys = keysIn(files.filter(({ name }) => !name.startsWith("../report/")));
  expect(keys).toContain("tryIt.scoreTheFile");
  expect(keys.filter((key) => ONLY_IN_REPORTS.test(key))).toEqual([]);
});

test("messages stand in the order of their keys", () => {
  for (const messages of [english, ...others.map((other) => other.messages)])
    expect(Object.keys(messages)).toEqual(Object.keys(messages).toSorted());
});

/** Names that are the same in every language, and what is typed rather than read. */
const NAMES = /^(Assay|CSV|JSON|SVG|PNG|TOML|RQS|AUROC|Spearman|Holm|Benjamini–Hochberg|[A-Zinv]|n =)$/;
/** What people read of an element or of an object that describes one. */
const LABELS =
  /^(alt|aria-label|aria-valuetext|caption|help|hint|label|note|ownLabel|placeholder|question|saveLabel|sure|title|words)$/;
/** Elements with code in them. */
const CODE = new Set(["code", "pre"]);

type Node = { type: string; [part: string]: unknown };

const isWords = (text: string) => /\p{L}/u.test(text) && !NAMES.test(text.trim());
/** Examples of what is typed into a field: ids, files, JSON. */
const isTyped = (text: string) => /^[{[]|^[a-z][\w.-]*$/.test(text);

/** Texts of a file that people would read and that stand in no message file. */
function looseWords(name: string, text: string): string[] {
  const found: string[] = [];
  const look = (node: unknown, label: string) => {
    if (Array.isArray(node)) for (const one of node) look(one, label);
    if (!node || typeof node !== "object" || !("type" in node)) return;
    const { type, ...parts } = node as Node;
    if (type.startsWith("TS") && !/^TS(As|NonNull|Satisfies)/.test(type)) return;
    if (type === "CallExpression" && /^(t|rich)$/.test((parts.callee as Node).name as string))
      parts.arguments = (parts.arguments as Node[]).slice(1);
    if (type === "JSXElement" && CODE.has(((parts.openingElement as Node).name as Node).name as string)) return;
    if (type === "BinaryExpression" && /^[=!<>]/.test(parts.operator as string)) return;
    if (type === "JSXText" && isWords(parts.value as string)) found.push((parts.value as string).trim());
    if (label && type === "Literal" && typeof parts.value === "string" && isWords(parts.value))
      if (!(label === "placeholder" && isTyped(parts.value))) found.push(`${label}: ${parts.value}`);
    if (label && type === "TemplateElement" && isWords((parts.value as { cooked: string }).cooked))
      found.push(`${label}: ${(parts.value as { cooked: string }).cooked}`);
    const key = (parts.key ?? parts.name) as Node | undefined;
    const inner =
      type === "JSXAttribute" || type === "Property"
        ? LABELS.test(String(key?.name ?? key?.value))
          ? String(key?.name ?? key?.value)
          : ""
        : /^(ConditionalExpression|LogicalExpression|TemplateLiteral|JSXExpressionContainer)$/.test(type)
          ? label
          : "";
    for (const [part, value] of Object.entries(parts))
      if (part !== "key" && part !== "test") look(value, part === "children" ? "text" : inner);
  };
  look(parseAst(text, { lang: name.endsWith("x") ? "tsx" : "ts" }).body, "");
  return found;
}

test.each(files.map(({ name, text }) => [name, text]))("%s has no words of its own", (name, text) => {
  expect(looseWords(name, text)).toEqual([]);
});

test.each([
  ["<p>Some words</p>", ["Some words"]],
  ["<p>{n} more</p>", ["more"]],
  ['<Table caption="Runs" file="runs" />', ["caption: Runs"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
  ["<b title={isNew ? `Made by ${who}` : t('x')} />", ["title: Made by "]],
  ['const columns = [{ id: "when", label: "When" }];', ["label: When"]],
  ["<code>assay run</code>", []],
  ['<p className="muted">{t("a.b")}</p>', []],
  ['<p>{n === 1 ? "record" : <b className="many">{n}</b>}</p>', ["text: record"]],
])("the check sees loose words in %s", (text, words) => {
  expect(looseWords("a.tsx", text)).toEqual(words);
});
