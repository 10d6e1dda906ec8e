import { describe, expect, it } from "vitest";
import { bodyOf, DEFAULTS, problemsOf } from "./options";

describe("bodyOf", () => {
  it("leaves out numbers that are empty", () => {
    const body = bodyOf({ ...DEFAULTS, numbers: { ...DEFAULTS.numbers, fuzzy_threshold: "0" } });
    expect(body.fuzzy_threshold).toBe(0);
    expect(body).not.toHaveProperty("semantic_threshold");
    expect(body.count_null_extras).toBe(true);
  });
});

describe("problemsOf", () => {
  it("names what is wrong", () => {
    expect(problemsOf(DEFAULTS)).toEqual({});
    expect(
      problemsOf({ ...DEFAULTS, list_alignment: "key", numbers: { ...DEFAULTS.numbers, fuzzy_threshold: "2" } }),
    ).toEqual({
      fuzzy_threshold: "Expected 0 to 1.",
      list_key: "Enter the key that identifies items.",
    });
  });
});
