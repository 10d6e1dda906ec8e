import { expect, it } from "vitest";
import { binOf } from "./Histogram";

it("names a bin by two different ends", () => {
  expect([2, 10, 20, 50].map((count) => binOf(2 % count, count))).toEqual([
    "0.0–0.5",
    "0.2–0.3",
    "0.10–0.15",
    "0.04–0.06",
  ]);
});
