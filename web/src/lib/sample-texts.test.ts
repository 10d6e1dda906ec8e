import { describe, expect, it } from "vitest";
import type { ResultEntry } from "../api/generated/schema";
import { firstToShow, turnsOf } from "./sample-texts";

function result(field: string, passed: boolean | null, quality: number): ResultEntry {
  const verdict = passed === null ? null : passed ? "pass" : "fail";
  return { evidence: [{ field }], passed, verdict, gates: true, quality } as ResultEntry;
}

describe("firstToShow", () => {
  it("takes the weakest failure with evidence in the response", () => {
    const results = {
      good: result("response", true, 0.1),
      poor: result("response", false, 0.6),
      poorer: result("response", false, 0.5),
      elsewhere: result("query", false, 0),
    };
    expect(firstToShow(results)).toBe("poorer");
  });

  it("is nothing where no score points at the response", () => {
    expect(firstToShow({ elsewhere: result("query", false, 0) })).toBe("");
  });
});

describe("turnsOf", () => {
  it("gives each turn as text, whatever the data holds", () => {
    expect(
      turnsOf({ conversation: [{ role: "user", content: "Hi" }, { role: "tool", content: [{ type: "text" }] }, {}] }),
    ).toEqual([
      { role: "user", content: "Hi" },
      { role: "tool", content: '[{"type":"text"}]' },
      { role: "", content: "" },
    ]);
  });
});
