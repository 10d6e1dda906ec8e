import { describe, expect, it } from "vitest";
import { draftOf, EMPTY_DRAFT, entryOf, numberProblem, optionsOf, strategyOf, withStrategy } from "./strategies";

describe("entries of a strategy file", () => {
  it("are a word where there are no options", () => {
    expect(entryOf({ ...EMPTY_DRAFT, strategy: "FUZZY" })).toBe("FUZZY");
  });

  it("come back from editing as they were", () => {
    const entries = [
      "IGNORE",
      { strategy: "FUZZY", threshold: 0, ignore_case: false, list_key: "id" },
      { strategy: "AUTO", numeric_tolerance: 0.5, date: "dmy" },
    ];
    for (const entry of entries) expect(entryOf(draftOf("a.b", entry))).toEqual(entry);
  });

  it("say their strategy and options", () => {
    expect(strategyOf("EXACT")).toBe("EXACT");
    expect(strategyOf({ threshold: 0.9 })).toBe("AUTO");
    expect(strategyOf(null)).toBe("AUTO");
    expect(optionsOf({ strategy: "FUZZY", threshold: 0.9, ignore_case: true })).toBe("threshold 0.9, ignore case yes");
    expect(optionsOf("FUZZY")).toBe("");
  });

  it("keep their options under another strategy", () => {
    expect(withStrategy({ strategy: "FUZZY", threshold: 0.9 }, "SEMANTIC")).toEqual({
      strategy: "SEMANTIC",
      threshold: 0.9,
    });
    expect(withStrategy(undefined, "EXACT")).toBe("EXACT");
  });
});

describe("numberProblem", () => {
  it("lets an empty text pass and says what is expected otherwise", () => {
    expect(numberProblem(" ", 0, 1)).toBe("");
    expect(numberProblem("0.5", 0, 1)).toBe("");
    expect(numberProblem("2", 0, 1)).toBe("Expected 0 to 1.");
    expect(numberProblem("-1", 0, 1e300)).toBe("Expected 0 or more.");
    expect(numberProblem("half", 0, 1)).toBe("Expected a number.");
  });
});
