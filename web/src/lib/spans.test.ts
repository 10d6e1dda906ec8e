import { describe, expect, it } from "vitest";
import { cutAlong, firstPoints, utf16Offsets } from "./spans";

const span = (start: number, end: number, label = "") => ({ start, end, label });
const shown = (text: string, ...spans: ReturnType<typeof span>[]) =>
  cutAlong(text, spans).map((piece) => [piece.text, piece.spans.map((one) => one.label).join("+")]);

describe("cutAlong", () => {
  it("leaves a text without evidence whole", () => {
    expect(shown("plain")).toEqual([["plain", ""]]);
    expect(shown("")).toEqual([]);
  });

  it("counts an emoji as one character, as the server does", () => {
    expect(shown("😀😀 bad 😀", span(3, 6, "a"))).toEqual([
      ["😀😀 ", ""],
      ["bad", "a"],
      [" 😀", ""],
    ]);
  });

  it("marks an emoji itself, and the parts of one that is put together", () => {
    expect(shown("x👨‍👩‍👧y", span(1, 6, "family"))).toEqual([
      ["x", ""],
      ["👨‍👩‍👧", "family"],
      ["y", ""],
    ]);
  });

  it("keeps Arabic with its vowel signs", () => {
    const text = "اتصل على ٥٥٥-١٢٣ الآن";
    const pieces = shown(text, span(9, 16, "phone"));
    expect(pieces[1]).toEqual(["٥٥٥-١٢٣", "phone"]);
    expect(pieces.map(([part]) => part).join("")).toBe(text);
  });

  it("cuts where spans overlap", () => {
    expect(shown("abcdef", span(0, 4, "a"), span(2, 6, "b"))).toEqual([
      ["ab", "a"],
      ["cd", "a+b"],
      ["ef", "b"],
    ]);
  });

  it("shows a span inside another", () => {
    expect(shown("abcdef", span(0, 6, "outer"), span(2, 3, "inner"))).toEqual([
      ["ab", "outer"],
      ["c", "outer+inner"],
      ["def", "outer"],
    ]);
  });

  it("shows equal and touching spans", () => {
    expect(shown("abcd", span(0, 2, "a"), span(0, 2, "b"), span(2, 4, "c"))).toEqual([
      ["ab", "a+b"],
      ["cd", "c"],
    ]);
  });

  it("clips what lies outside, and leaves out what is empty or turned round", () => {
    expect(
      shown("abc", span(-5, 1, "a"), span(2, 99, "b"), span(50, 60, "c"), span(1, 1, "d"), span(2, 1, "e")),
    ).toEqual([
      ["a", "a"],
      ["b", ""],
      ["c", "b"],
    ]);
  });

  it("gives the text back for any spans", () => {
    const text = "a😀ب\u{1F1EA}\u{1F1EC}e\u0301 z\ud800!";
    for (let start = 0; start < 12; start += 1)
      for (let end = start; end < 12; end += 1)
        expect(
          cutAlong(text, [span(start, end), span(3, 7)])
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
  });

  it("is quick with many spans", () => {
    const spans = Array.from({ length: 20_000 }, (_, index) => span(index * 5, index * 5 + 3));
    expect(cutAlong("x".repeat(100_000), spans)).toHaveLength(40_000);
  });
});

it("finds UTF-16 offsets in one pass", () => {
  expect([...utf16Offsets("a😀b", [3, 1, 2, 9])]).toEqual([
    [1, 1],
    [2, 3],
    [3, 4],
    [9, 4],
  ]);
});

it("cuts between characters only", () => {
  expect(firstPoints("😀😀😀", 2)).toBe("😀😀");
  expect(firstPoints("abc", 9)).toBe("abc");
});
