/** What a score of a card means, and the claims behind it. */
import type { CardAnswer, CardMetricEntry, SpanEntry } from "../../api/generated/schema";
import type { Tone } from "../../api/registry";
import { utf16Offsets } from "../../lib/spans";

/** The bands of the Endurance specification: PASS from 70, REVIEW from 50, FAIL below. */
export function toneOfScore(score: number | null): Tone {
  return score === null ? "neutral" : score >= 70 ? "good" : score >= 50 ? "warn" : "bad";
}

/** The verdict as it is shown: an answer with claims that nothing supports passes on a condition only. */
export function shownVerdict(verdict: CardAnswer["verdict"], hasUnsupportedClaims: boolean): string | null {
  return verdict === "PASS" && hasUnsupportedClaims ? "CONDITIONAL PASS" : verdict;
}

/** A card's metric as the registry knows it. */
export function idOf(metric: CardMetricEntry): string {
  return `governance.${metric.name}`;
}

export interface Claim {
  text: string;
  status: string;
}

/** What a claim can be, the worst first. */
const STATUSES = ["contradicted", "unsupported", "verified"];
const statusOf = (span: SpanEntry) => STATUSES.findIndex((status) => span.label.startsWith(status));
const isClaim = (span: SpanEntry) => span.field === "response" && statusOf(span) >= 0;

/** The metric whose evidence is all claims of the answer; undefined where none was checked. */
export function claimMetric(card: CardAnswer): CardMetricEntry | undefined {
  const all = Object.values(card.metrics).flat();
  return all.find(
    (metric) =>
      metric.evidence.some(isClaim) && metric.evidence.every((span) => span.field !== "response" || isClaim(span)),
  );
}

/** The claims of an answer as they stand in it, those without support first. */
export function claimsOf(response: string, metric: CardMetricEntry | undefined): Claim[] {
  const spans = (metric?.evidence ?? []).filter(isClaim);
  const offsets = utf16Offsets(
    response,
    spans.flatMap((span) => [span.start, span.end]),
  );
  return spans
    .sort((a, b) => statusOf(a) - statusOf(b))
    .map((span) => ({
      text: response.slice(offsets.get(span.start), offsets.get(span.end)),
      status: STATUSES[statusOf(span)]!,
    }));
}

/** Weights as a form holds them; empty ones are left out. */
export function weightsOf(texts: Readonly<Record<string, string>>): { [name: string]: number } | null {
  const given = Object.entries(texts).filter(([, text]) => text.trim());
  return given.length ? Object.fromEntries(given.map(([name, text]) => [name, Number(text)])) : null;
}
