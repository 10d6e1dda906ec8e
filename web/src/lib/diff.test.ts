import { expect, it } from "vitest";
import { type DiffPart, diffWords } from "./diff";

const side = (parts: DiffPart[], left: "removed" | "added") =>
  parts
    .filter((part) => part.kind !== left)
    .map((part) => part.text)
    .join("");

it("finds the words that changed", () => {
  expect(diffWords("It opens at 9 AM.", "It opens at 10 AM.")).toEqual([
    { kind: "same", text: "It opens at " },
    { kind: "removed", text: "9" },
    { kind: "added", text: "10" },
    { kind: "same", text: " AM." },
  ]);
});

it.each([
  ["", ""],
  ["a", ""],
  ["", "b"],
  ["عاصمة مصر هي القاهرة", "القاهرة هي عاصمة مصر"],
  ["x 😀 y", "x 😎 y z"],
])("keeps both sides of %j and %j", (before, after) => {
  const parts = diffWords(before, after);
  expect(side(parts, "added")).toBe(before);
  expect(side(parts, "removed")).toBe(after);
});

it("keeps a changed passage in one piece", () => {
  expect(diffWords("say one two now", "say three four now")).toEqual([
    { kind: "same", text: "say " },
    { kind: "removed", text: "one two" },
    { kind: "added", text: "three four" },
    { kind: "same", text: " now" },
  ]);
});

it("gives up gracefully on long texts", () => {
  const parts = diffWords(`a ${"x ".repeat(2000)}z`, `a ${"y ".repeat(2000)}z`);
  expect(parts.map((part) => part.kind)).toEqual(["same", "removed", "added", "same"]);
});
