import { describe, expect, it } from "vitest";
import { EMPTY_SAMPLE, partsOf, problemsOf, sampleOf, textsOf } from "./sample";

describe("sampleOf", () => {
  it("leaves out what is empty and keeps texts as they stand", () => {
    expect(sampleOf({ ...EMPTY_SAMPLE, response: " نعم ", contexts: ["", "one"] })).toEqual({
      response: " نعم ",
      contexts: ["one"],
    });
  });

  it("takes further fields along, which do not overwrite the texts", () => {
    expect(sampleOf({ ...EMPTY_SAMPLE, response: "yes", more: '{"response": "no", "duration": 1.5}' })).toEqual({
      response: "yes",
      duration: 1.5,
    });
  });
});

describe("problemsOf", () => {
  it("wants an answer and an object", () => {
    expect(problemsOf(EMPTY_SAMPLE).response).toBeTruthy();
    expect(problemsOf({ ...EMPTY_SAMPLE, response: "yes" })).toEqual({});
    expect(problemsOf({ ...EMPTY_SAMPLE, response: "yes", more: "[1]" }).more).toContain("object");
    expect(problemsOf({ ...EMPTY_SAMPLE, response: "yes", more: "{" }).more).toContain("not JSON");
  });
});

describe("textsOf", () => {
  it("counts contexts as they were sent", () => {
    expect(textsOf({ ...EMPTY_SAMPLE, response: "yes", contexts: ["", "one"] }).map(({ field }) => field)).toEqual([
      "response",
      "contexts[0]",
    ]);
  });
});

describe("partsOf", () => {
  it("asks once where no family is chosen", () => {
    expect(partsOf([])).toEqual([[]]);
    expect(partsOf(["a", "b"])).toEqual([["a"], ["b"]]);
  });
});
