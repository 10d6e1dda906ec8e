/** Numbers and dates as people of the chosen language read them. Units and ranges come from the registry. */
import { locale } from "./language";
import { hasMessage, kept, t } from "./messages";

const GROUPED = new Intl.NumberFormat(locale);
/** Numbers as people set them, without needless digits. */
const SHORT = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });

/** What a format needs to know of a metric. */
export interface Scale {
  unit: string;
  range: readonly [number | null, number | null];
}

export const PLAIN: Scale = { unit: "", range: [0, 1] };
export const NOTHING = t("number.nothing");

export function formatCount(count: number): string {
  return GROUPED.format(count);
}

/** A number with as many digits as tell something. */
export function formatNumber(value: number, digits = 3): string {
  const size = Math.abs(value);
  if (size >= 1e9 || (size !== 0 && size < 10 ** -digits)) return value.toExponential(1);
  const kept = size >= 1000 ? 0 : size >= 100 ? Math.min(digits, 1) : size >= 10 ? Math.min(digits, 2) : digits;
  const isZero = Number(value.toFixed(kept)) === 0;
  return new Intl.NumberFormat(locale, {
    maximumFractionDigits: kept,
    minimumFractionDigits: size >= 10 || isZero ? 0 : Math.min(kept, 2),
  }).format(isZero ? 0 : value);
}

/** A mean or a single value on its metric's native scale, with its unit. */
export function formatValue(value: number | null | undefined, scale: Scale = PLAIN): string {
  if (value === null || value === undefined) return NOTHING;
  if (scale.unit === "%") return percent(value, 1);
  if (scale.unit === "share") return percent(100 * value, 1);
  if (scale.unit === "quality") return formatFixed(100 * value, 1);
  if (scale.unit === "bool")
    return value === 0
      ? t("common.no")
      : value === 1
        ? t("common.yes")
        : t("number.shareYes", { share: percent(100 * value, 1) });
  if (scale.unit) return kept(`${formatNumber(value, 1)} ${scale.unit}`);
  if (scale.range[1] === 100) return formatFixed(value, 1);
  return Math.abs(value) < 10 && (value === 0 || Math.abs(value) >= 0.001)
    ? formatFixed(value, 3)
    : formatNumber(value);
}

/** A limit as people set it, without needless digits: "≥ 0.8". */
export function formatLimit(limit: number, polarity: string, scale: Scale = PLAIN): string {
  const number = SHORT.format(limit);
  const text =
    scale.unit === "bool"
      ? limit === 0
        ? t("common.no")
        : t("common.yes")
      : scale.unit === "%"
        ? t("number.percent", { value: number })
        : scale.unit
          ? `${number} ${scale.unit}`
          : number;
  return scale.unit === "bool" ? text : kept(`${polarity === "lower" ? "≤" : "≥"} ${text}`);
}

/** A score from 0 to 100. */
export function formatScore(score: number | null | undefined): string {
  return score === null || score === undefined ? NOTHING : formatFixed(score, 1);
}

/** A quality from 0 to 1 as a score from 0 to 100. */
export function formatQuality(quality: number | null | undefined): string {
  return formatScore(quality === null || quality === undefined ? null : 100 * quality);
}

/** The two ends of an interval, the unit said once. */
export function formatInterval(interval: readonly [number, number] | null | undefined, scale: Scale = PLAIN): string {
  if (!interval) return "";
  return formatEnds(interval, (end) => (scale.unit === "bool" ? formatShare(end) : formatValue(end, scale)));
}

/** Two values as a range, each in its own format. */
export function formatEnds<End>([low, high]: readonly [End, End], format: (end: End) => string): string {
  return t("number.range", { low: format(low), high: format(high) });
}

/** All values that a metric can have, with its unit; an open end is infinite. */
export function formatRange({ unit, range: [low, high] }: Scale): string {
  if (unit === "bool") return t("number.yesOrNo");
  const ends = formatEnds([low ?? -Infinity, high ?? Infinity], (end) =>
    kept(Number.isFinite(end) ? SHORT.format(end) : end < 0 ? "−∞" : "∞"),
  );
  return unit && unit !== "share" ? `${ends} ${unit}` : ends;
}

/** Things one after another: "a, b and c". */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale).format(items);
}

export function formatShare(share: number | null | undefined, digits = 1): string {
  return share === null || share === undefined ? NOTHING : percent(100 * share, digits);
}

/** A relative change in percent, with its sign. */
export function formatChange(share: number): string {
  const text = percent(Math.abs(100 * share), 1);
  return text === percent(0, 1) ? text : kept(`${share < 0 ? "−" : "+"}${text}`);
}

/** A difference of two values with its sign, in the metric's unit; of shares in percentage points. */
export function formatDifference(value: number | null | undefined, scale: Scale = PLAIN): string {
  if (value === null || value === undefined) return NOTHING;
  const sign = value < 0 ? "−" : value > 0 ? "+" : "";
  const points = scale.unit === "%" ? 1 : scale.unit === "share" || scale.unit === "bool" ? 100 : 0;
  return points
    ? t("number.points", { value: `${sign}${formatFixed(points * Math.abs(value), 1)}` })
    : kept(`${sign}${formatValue(Math.abs(value), scale)}`);
}

export function formatProbability(p: number | null | undefined): string {
  if (p === null || p === undefined) return NOTHING;
  return p < 0.001 ? kept(`< ${formatFixed(0.001, 3)}`) : formatFixed(p, 3);
}

export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return NOTHING;
  return seconds < 1
    ? t("number.milliseconds", { value: Math.round(seconds * 1000) })
    : t("number.seconds", { value: formatFixed(seconds, seconds < 10 ? 2 : 1) });
}

/** A moment of the server (ISO, or `YYYY-MM-DD HH:MM:SS` in UTC) in the reader's own time zone. */
export function formatMoment(text: string | null | undefined, withSeconds = false): string {
  if (!text) return "";
  const moment = parseMoment(text);
  if (Number.isNaN(moment.getTime())) return text;
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: withSeconds ? "medium" : "short",
    calendar: "gregory",
  }).format(moment);
}

/** The day of a moment, for where there is little room. */
export function formatDay(text: string): string {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", calendar: "gregory" }).format(
    parseMoment(text),
  );
}

export function parseMoment(text: string): Date {
  return new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(" ", "T")}Z`);
}

/** Words that are written in capitals, in any id. */
const ABBREVIATIONS = new Set(["json", "rag", "pii", "api", "id", "llm", "gdpr"]);

/** An id's last word for people: `dim.data_grounding` is "Data grounding", `rag` "RAG". */
export function labelOf(id: string): string {
  const key = `name.${id.split(".").at(-1)}`;
  if (hasMessage(key)) return t(key);
  const words = (id.split(".").at(-1) ?? id).split("_").filter(Boolean);
  const written = words.map((word) => (isAbbreviation(word) ? word.toUpperCase() : word));
  const [first = id, ...rest] = written;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ");
}

function isAbbreviation(word: string): boolean {
  return (
    ABBREVIATIONS.has(word) || (/\d/.test(word) && /[a-z]/i.test(word)) || (word.length > 1 && !/[aeiouy]/i.test(word))
  );
}

/** A number with a fixed count of digits behind the point. */
export function formatFixed(value: number, digits: number): string {
  const isZero = Number(value.toFixed(digits)) === 0;
  const text = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(Math.abs(value));
  return value < 0 && !isZero ? kept(`−${text}`) : text;
}

function percent(value: number, digits: number): string {
  return t("number.percent", { value: formatFixed(value, digits) });
}
