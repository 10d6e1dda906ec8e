import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Details } from "./Details";

const text = (details: Record<string, unknown>) => renderToStaticMarkup(<Details details={details} />);
/** What is read, without the markup. */
const read = (details: Record<string, unknown>) =>
  text(details)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

it("writes values and lists in words, and says nothing of empty ones", () => {
  expect(read({ max_words: 1200, share: 0.25, is_safe: false, found: ["a", "b"], none: [], gone: null })).toBe(
    "Max words 1,200 Share 0.25 Is safe no Found a, b",
  );
});

it("makes tables of like entries and of pairs", () => {
  const wrong = [
    { field: "a.b", similarity: 0.5 },
    { field: "c", similarity: null, kinds: ["x", "y"] },
  ];
  expect(read({ wrong })).toBe("Wrong Field Similarity Kinds a.b 0.50 c x, y");
  expect(read({ weights: { safety: 0.2, cost: 1 } })).toBe("Weights safety 0.20 cost 1");
  expect(read({ wrong: Array.from({ length: 25 }, () => ({ field: "a" })) })).toContain("and 5 more");
});

it("writes whatever is deeper as JSON, and never as markup", () => {
  expect(read({ deep: { a: { b: ["c"] } } })).toContain("Deep { &quot;a&quot;:");
  expect(text({ found: ["<img src=x>"], rows: [{ "<b>": "<i>" }] })).not.toMatch(/<img|<b>|<i>/);
});
