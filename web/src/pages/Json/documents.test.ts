import { describe, expect, it } from "vitest";
import { jsonProblem, splitOutputs, valueText } from "./documents";

describe("jsonProblem", () => {
  it("lets JSON pass and says what is wrong otherwise", () => {
    expect(jsonProblem('{"name": "عمر"}')).toBe("");
    expect(jsonProblem("0")).toBe("");
    expect(jsonProblem("  ")).toContain("Paste");
    expect(jsonProblem("{")).toContain("not JSON");
  });
});

describe("splitOutputs", () => {
  it("takes the items of a list", () => {
    expect(splitOutputs('[{"a": 1}, "text", null]')).toEqual(['{\n  "a": 1\n}', "text", "null"]);
  });

  it("takes the lines of JSON Lines as they stand", () => {
    expect(splitOutputs('{"a": 12345678901234567890}\n\n{"a": 2}\n')).toEqual([
      '{"a": 12345678901234567890}',
      '{"a": 2}',
    ]);
  });

  it("leaves one document, and damaged text, whole", () => {
    expect(splitOutputs('{"a":\n1}')).toEqual(['{"a":\n1}']);
    expect(splitOutputs('{"a": 1}\n{"a":')).toEqual(['{"a": 1}\n{"a":']);
    expect(splitOutputs("[]")).toEqual(["[]"]);
  });
});

describe("valueText", () => {
  it("keeps text and numbers apart", () => {
    expect(valueText("1")).toBe('"1"');
    expect(valueText(1)).toBe("1");
    expect(valueText(null)).toBe("null");
  });
});
