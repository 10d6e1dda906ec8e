/** Numbers as people read them. Units and ranges come from the registry, never from a name. */

const GROUPED = new Intl.NumberFormat("en-GB");

/** What a format needs to know of a metric. */
export interface Scale {
  unit: string;
  range: readonly [number | null, number | null];
}

export const PLAIN: Scale = { unit: "", range: [0, 1] };
export const NOTHING = "N/A";

export function formatCount(count: number): string {
  return GROUPED.format(count);
}

/** A number with as many digits as tell something. */
export function formatNumber(value: number, digits = 3): string {
  const size = Math.abs(value);
  if (size >= 1e9 || (size !== 0 && size < 10 ** -digits)) return value.toExponential(1);
  const kept = size >= 1000 ? 0 : size >= 100 ? Math.min(digits, 1) : size >= 10 ? Math.min(digits, 2) : digits;
  return new Intl.NumberFormat("en-GB", {
    maximumFractionDigits: kept,
    minimumFractionDigits: size >= 10 ? 0 : Math.min(kept, 2),
  })
    .format(value)
    .replace(/^-0(\.0+)?$/, "0");
}

/** A mean or a single value on its metric's native scale, with its unit. */
export function formatValue(value: number | null | undefined, scale: Scale = PLAIN): string {
  if (value === null || value === undefined) return NOTHING;
  if (scale.unit === "%") return `${fixed(value, 1)}%`;
  if (scale.unit === "share") return `${fixed(100 * value, 1)}%`;
  if (scale.unit === "bool") return value === 0 ? "no" : value === 1 ? "yes" : `${fixed(100 * value, 1)}% yes`;
  if (scale.unit) return `${formatNumber(value, 1)} ${scale.unit}`;
  if (scale.range[1] === 100) return fixed(value, 1);
  return Math.abs(value) < 10 && (value === 0 || Math.abs(value) >= 0.001) ? fixed(value, 3) : formatNumber(value);
}

/** A limit as people set it, without needless digits: "≥ 0.8". */
export function formatLimit(limit: number, polarity: string, scale: Scale = PLAIN): string {
  const number = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 4 }).format(limit);
  const text =
    scale.unit === "bool"
      ? limit === 0
        ? "no"
        : "yes"
      : scale.unit === "%"
        ? `${number}%`
        : scale.unit
          ? `${number} ${scale.unit}`
          : number;
  return scale.unit === "bool" ? text : `${polarity === "lower" ? "≤" : "≥"} ${text}`;
}

/** A score from 0 to 100. */
export function formatScore(score: number | null | undefined): string {
  return score === null || score === undefined ? NOTHING : fixed(score, 1);
}

/** A quality from 0 to 1 as a score from 0 to 100. */
export function formatQuality(quality: number | null | undefined): string {
  return formatScore(quality === null || quality === undefined ? null : 100 * quality);
}

/** The two ends of an interval, the unit said once. */
export function formatInterval(interval: readonly [number, number] | null | undefined, scale: Scale = PLAIN): string {
  if (!interval) return "";
  const [low, high] = interval.map((end) => (scale.unit === "bool" ? formatShare(end) : formatValue(end, scale)));
  return `${low} to ${high}`;
}

export function formatShare(share: number | null | undefined, digits = 1): string {
  return share === null || share === undefined ? NOTHING : `${fixed(100 * share, digits)}%`;
}

/** A relative change in percent, with its sign. */
export function formatChange(share: number): string {
  const text = fixed(Math.abs(100 * share), 1);
  return text === "0.0" ? "0.0%" : `${share < 0 ? "−" : "+"}${text}%`;
}

/** A difference of two values with its sign, in the metric's unit; of shares in percentage points. */
export function formatDifference(value: number | null | undefined, scale: Scale = PLAIN): string {
  if (value === null || value === undefined) return NOTHING;
  const points = scale.unit === "%" ? 1 : scale.unit === "share" || scale.unit === "bool" ? 100 : 0;
  const size = points ? `${fixed(points * Math.abs(value), 1)} pp` : formatValue(Math.abs(value), scale);
  return `${value < 0 ? "−" : value > 0 ? "+" : ""}${size}`;
}

export function formatProbability(p: number | null | undefined): string {
  if (p === null || p === undefined) return NOTHING;
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return NOTHING;
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${fixed(seconds, seconds < 10 ? 2 : 1)} s`;
}

/** A moment of the server (ISO, or `YYYY-MM-DD HH:MM:SS` in UTC) in the reader's own time zone. */
export function formatMoment(text: string | null | undefined, withSeconds = false): string {
  if (!text) return "";
  const moment = parseMoment(text);
  if (Number.isNaN(moment.getTime())) return text;
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  return `${day} ${time}${withSeconds ? `:${two(moment.getSeconds())}` : ""}`;
}

export function parseMoment(text: string): Date {
  return new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(" ", "T")}Z`);
}

/** Words that are written in capitals, in any id. */
const ABBREVIATIONS = new Set(["json", "rag", "pii", "api", "id", "llm", "gdpr"]);

/** An id's last word for people: `dim.data_grounding` is "Data grounding", `rag` "RAG". */
export function labelOf(id: string): string {
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

function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}
