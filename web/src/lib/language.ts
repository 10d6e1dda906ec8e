/** The language of the interface: as chosen before, else the browser's; a new one is a file in messages/. */
import { href, parseHash } from "./url";

/** A message, or its plural forms: `by` names the number that decides, where it is not the first. */
export type Message = string | ({ by?: string; other: string } & { [form in Intl.LDMLPluralRule]?: string });
export type Messages = Readonly<Record<string, Message>>;

const FIRST = "en";
const NAME = "assay-language";
/** A page loads the file of its language alone; a test sees to it that each has all messages. */
const FILES = import.meta.glob<Messages>("../messages/*.json", { import: "default" });

/** What metrics and families are called; their English words come with them from the server. */
export type MetricWords = Readonly<Record<string, { label?: string; summary: string }>>;
const METRIC_FILES = import.meta.glob<MetricWords>("../messages/metrics/*.json", { import: "default" });

const codeOf = (path: string) => path.replace(/^.*\/|\.json$/g, "");

/** The codes of all languages that have a file. */
export const LANGUAGES: readonly string[] = Object.keys(FILES).map(codeOf).sort(byName);

/** English first, then by code. */
function byName(one: string, other: string): number {
  return Number(other === FIRST) - Number(one === FIRST) || one.localeCompare(other);
}

/** The first wanted language that is known; `ar-EG` is Arabic. */
export function pickLanguage(wanted: readonly (string | null | undefined)[], known = LANGUAGES): string {
  const codes = wanted.map((one) => one?.split("-")[0]?.toLowerCase());
  return codes.find((code) => code && known.includes(code)) ?? FIRST;
}

/** How numbers and dates are written: as the browser's own kind of the language says. */
export function pickLocale(language: string, wanted: readonly string[]): string {
  if (language === FIRST) return "en-GB";
  return wanted.find((one) => one.split("-")[0]?.toLowerCase() === language) ?? language;
}

const isBrowser = typeof window !== "undefined";
const preferred: readonly string[] = isBrowser ? window.navigator.languages : [];

export const language = pickLanguage([asked(), stored(), ...preferred]);
export const locale = pickLocale(language, preferred);

function fileOf<File extends object>(files: Readonly<Record<string, () => Promise<File>>>): Promise<File | undefined> {
  const found = Object.entries(files).find(([path]) => codeOf(path) === language);
  return found ? found[1]() : Promise.resolve(undefined);
}

/** The words of the language; metrics have none where it is the first. Whoever imports this waits for them. */
export const [ownMessages = {}, ownMetricWords = {}] = await Promise.all([fileOf(FILES), fileOf(METRIC_FILES)]);

/** Take another language: the page is drawn anew, its address keeps what it shows. */
export function chooseLanguage(code: string): void {
  store(code);
  const { path, query } = parseHash(window.location.hash);
  window.history.replaceState(null, "", href(path, { ...query, lang: null }));
  window.location.reload();
}

/** Tell the browser which language the page is in and which way it runs. */
export function applyLanguage(direction: string): void {
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  if (asked()) store(language);
}

/** What a language calls itself. */
export function nameOf(code: string): string {
  return new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
}

/** As the address says: `?lang=ar`. */
function asked(): string | undefined {
  return isBrowser ? parseHash(window.location.hash).query.lang : undefined;
}

function stored(): string | null {
  try {
    return isBrowser ? localStorage.getItem(NAME) : null;
  } catch {
    return null; // a browser may refuse storage, as for files from disk
  }
}

function store(code: string): void {
  try {
    localStorage.setItem(NAME, code);
  } catch {
    // the choice then holds for this page only
  }
}
