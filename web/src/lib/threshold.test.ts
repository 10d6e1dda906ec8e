import { describe, expect, it } from "vitest";
import { binsOf, brushedBins, cutAt } from "./threshold";

const VALUES = [0.1, 0.2, 0.4, 0.6, 0.8, 0.9];
const LABELS = ["fail", "fail", "pass", "fail", "pass", null] as const;

describe("cutAt", () => {
  it("counts what passes on either side", () => {
    expect(cutAt(VALUES, [], 0.6, "higher")).toMatchObject({ passed: 3, passRate: 0.5, precision: null });
    expect(cutAt(VALUES, [], 0.6, "lower")).toMatchObject({ passed: 4 });
    expect(cutAt([], [], 0.5, "higher")).toMatchObject({ passed: 0, passRate: 0 });
  });

  it("compares with what people said", () => {
    const cut = cutAt(VALUES, LABELS, 0.5, "higher");
    expect(cut).toMatchObject({ labelled: 5, precision: 2 / 3, recall: 2 / 3 });
    expect(cutAt(VALUES, LABELS, 0, "higher")).toMatchObject({ precision: null, recall: 0 });
  });
});

describe("binsOf", () => {
  it("puts every value into one bin", () => {
    expect(binsOf([0, 0.1, 0.5, 1], 0, 1, 4).map((bin) => bin.count)).toEqual([2, 0, 1, 1]);
    expect(binsOf([3, 3], 3, 3, 2).map((bin) => bin.count)).toEqual([2, 0]);
  });
});

describe("brushedBins", () => {
  const bins = binsOf([0.1, 0.5, 0.9], 0, 1, 4);

  it.each([
    [[1, 2], 0.25, 0.75],
    [[3, 0], 0, 1],
    [[2, 2], 0.5, 0.75],
  ] as const)("takes the bins of a drag from %j", (brush, from, to) => {
    const chosen = brushedBins(bins, brush);
    expect([chosen[0]?.from, chosen.at(-1)?.to]).toEqual([from, to]);
  });
});
