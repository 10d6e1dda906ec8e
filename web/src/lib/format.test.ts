import { expect, it } from "vitest";
import * as format from "./format";

const percent: format.Scale = { unit: "%", range: [0, 100] };
const open: format.Scale = { unit: "ms", range: [0, null] };

it.each([
  [0.76912, format.PLAIN, "0.769"],
  [0.5, format.PLAIN, "0.500"],
  [0, format.PLAIN, "0.000"],
  [1, format.PLAIN, "1.000"],
  [0.00004, format.PLAIN, "4.0e-5"],
  [95.25, percent, "95.3%"],
  [-0.01, percent, "0.0%"],
  [1234.5, open, "1,235 ms"],
  [12.345, open, "12.3 ms"],
  [1.7e308, open, "1.7e+308 ms"],
  [1, { unit: "bool", range: [0, 1] }, "yes"],
  [0, { unit: "bool", range: [0, 1] }, "no"],
  [0.25, { unit: "bool", range: [0, 1] }, "25.0% yes"],
  [71.24, { unit: "", range: [0, 100] }, "71.2"],
  [null, percent, "N/A"],
] as [number | null, format.Scale, string][])("shows %s of %o as %s", (value, scale, expected) => {
  expect(format.formatValue(value, scale)).toBe(expected);
});

it("says both ends of an interval", () => {
  expect(format.formatInterval([0.7, 0.8])).toBe("0.700 to 0.800");
  expect(format.formatInterval(null)).toBe("");
});

it("writes limits as they were set", () => {
  expect(format.formatLimit(0.8, "higher")).toBe("≥ 0.8");
  expect(format.formatLimit(5, "lower", percent)).toBe("≤ 5%");
  expect(format.formatLimit(2000, "lower", open)).toBe("≤ 2,000 ms");
  expect(format.formatLimit(0, "lower", { unit: "bool", range: [0, 1] })).toBe("no");
  expect(format.formatInterval([0.1, 0.2], { unit: "bool", range: [0, 1] })).toBe("10.0% to 20.0%");
});

it("gives changes a sign", () => {
  expect(format.formatChange(0.0321)).toBe("+3.2%");
  expect(format.formatChange(-0.0321)).toBe("−3.2%");
  expect(format.formatChange(-0.00001)).toBe("0.0%");
  expect(format.formatQuality(0.856)).toBe("85.6");
  expect(format.formatQuality(null)).toBe(format.NOTHING);
  expect(format.formatDifference(-0.25)).toBe("−0.250");
  expect(format.formatDifference(0)).toBe("0.000");
  expect(format.formatDifference(0.281, { unit: "share", range: [0, 1] })).toBe("+28.1 pp");
  expect(format.formatDifference(-5, { unit: "%", range: [0, 100] })).toBe("−5.0 pp");
});

it("shows small probabilities as a bound", () => {
  expect(format.formatProbability(0.00002)).toBe("< 0.001");
  expect(format.formatProbability(0.0421)).toBe("0.042");
});

it("reads moments of the server as UTC", () => {
  expect(format.parseMoment("2026-11-15 12:00:00").toISOString()).toBe("2026-11-15T12:00:00.000Z");
  expect(format.parseMoment("2026-11-15T12:00:00.000+00:00").toISOString()).toBe("2026-11-15T12:00:00.000Z");
});

it.each([
  ["chat.e2e_latency", "E2E latency"],
  ["chat.ttft", "TTFT"],
  ["text.hallucination", "Hallucination"],
  ["json", "JSON"],
  ["chat.top_k_accuracy", "Top k accuracy"],
  ["governance.dim.data_grounding", "Data grounding"],
  ["chat.retrieval_precision_5", "Retrieval precision 5"],
])("names %s %s", (id, expected) => {
  expect(format.labelOf(id)).toBe(expected);
});

it.each([
  [{ unit: "", range: [0, 1] }, "0 to 1"],
  [{ unit: "", range: [-1, 1] }, "-1 to 1"],
  [{ unit: "%", range: [0, 100] }, "0 to 100 %"],
  [{ unit: "ms", range: [0, null] }, "0 to ∞ ms"],
  [{ unit: "bool", range: [0, 1] }, "yes or no"],
] as const)("the range of %j is %s", (scale, words) => {
  expect(format.formatRange(scale)).toBe(words);
});

it("dates are written by locale, in the reader's time zone", () => {
  const noon = new Date(2026, 10, 5, 12, 30, 7).toISOString();
  expect(format.formatMoment(noon)).toBe("5 Nov 2026, 12:30");
  expect(format.formatMoment(noon, true)).toBe("5 Nov 2026, 12:30:07");
  expect(format.formatDay(noon)).toBe("5 Nov");
  expect(format.formatMoment("no date")).toBe("no date");
});
