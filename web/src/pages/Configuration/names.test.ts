import { describe, expect, it } from "vitest";
import { changesOf, freeName, nameProblem, valueProblem, weighted } from "./names";

describe("nameProblem", () => {
  it("takes what the server takes", () => {
    expect(nameProblem("our-chatbot.v2", [])).toBe("");
    expect(nameProblem("../etc", [])).toContain("Expected");
    expect(nameProblem("", [])).toContain("Expected");
    expect(nameProblem("rag", ["rag"])).toContain("taken");
  });
});

describe("freeName", () => {
  it("counts on until a name is free", () => {
    expect(freeName("rag", [])).toBe("rag-own");
    expect(freeName("rag", ["rag-own", "rag-own-2"])).toBe("rag-own-3");
  });
});

describe("weighted", () => {
  it("finds the metric by what it holds, not by its name", () => {
    expect(weighted({ options: { a: { metrics: [] }, b: { weights: { x: 1 } } } })).toBe("b");
    expect(weighted({ options: {} })).toBeUndefined();
  });
});

describe("valueProblem", () => {
  it("keeps to the scale of the metric", () => {
    expect(valueProblem("0.5", [0, 1])).toBe("");
    expect(valueProblem("7", [0, 1])).toBe("Expected 0 to 1.");
    expect(valueProblem("-1", [0, null])).toBe("Expected 0 or more.");
    expect(valueProblem("9", [null, 5])).toBe("Expected at most 5.");
    expect(valueProblem("9e9", [null, null])).toBe("");
    expect(valueProblem("", [0, 1])).toBe("Expected a number.");
    expect(valueProblem("nine", [0, 1])).toBe("Expected a number.");
  });
});

describe("changesOf", () => {
  it("says what is new, what changed and what is gone", () => {
    expect(changesOf({ a: 1, b: 2, c: 3 }, { a: 1, b: 0, d: 4 })).toEqual({ b: 0, d: 4, c: null });
  });
});
