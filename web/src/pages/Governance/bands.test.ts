import { describe, expect, it } from "vitest";
import type { CardAnswer, CardMetricEntry } from "../../api/generated/schema";
import { claimMetric, claimsOf, shownVerdict, toneOfScore, weightsOf } from "./bands";

const metric = (evidence: CardMetricEntry["evidence"]): CardMetricEntry => ({
  name: "a",
  dimension: "d",
  raw_value: 1,
  normalized_score: 1,
  explanation: "Because.",
  state: "ok",
  evidence,
});

describe("toneOfScore", () => {
  it("has the bounds of the specification", () => {
    expect([null, 49.99, 50, 69.99, 70].map(toneOfScore)).toEqual(["neutral", "bad", "warn", "warn", "good"]);
  });
});

describe("claims", () => {
  const claims = metric([
    { field: "contexts[0]", start: 0, end: 3, label: "supports" },
    { field: "response", start: 0, end: 2, label: "verified" },
    { field: "response", start: 3, end: 6, label: "unsupported" },
  ]);

  it("are cut in code points, those without support first", () => {
    expect(claimsOf("😀a bcd", claims)).toEqual([
      { text: "bcd", status: "unsupported" },
      { text: "😀a", status: "verified" },
    ]);
    expect(claimsOf("x", undefined)).toEqual([]);
  });

  it("come from the metric that marks nothing else in the answer", () => {
    const mixed = metric([...claims.evidence, { field: "response", start: 0, end: 1, label: "name" }]);
    const card = { metrics: { x: [metric([]), mixed], y: [claims] } } as unknown as CardAnswer;
    expect(claimMetric(card)).toBe(claims);
  });
});

describe("weightsOf", () => {
  it("leaves out what is empty", () => {
    expect(weightsOf({ a: "", b: "0", c: "0.5" })).toEqual({ b: 0, c: 0.5 });
    expect(weightsOf({ a: " " })).toBeNull();
  });
});

describe("shownVerdict", () => {
  it("lets an answer with unsupported claims pass on a condition only", () => {
    expect(shownVerdict("PASS", true)).toBe("CONDITIONAL PASS");
    expect(shownVerdict("PASS", false)).toBe("PASS");
    expect(shownVerdict("FAIL", true)).toBe("FAIL");
    expect(shownVerdict(null, true)).toBe(null);
  });
});
