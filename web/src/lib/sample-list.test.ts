import { expect, it } from "vitest";
import { aroundOf, backTo, inAddress, listOf } from "./sample-list";
import { href, parseHash } from "./url";

const list = { from: "run", by: "text.safety", filters: { run: "team/a b", status: "failed" } } as const;

it("keeps the list in the address", () => {
  const address = parseHash(href("/tests/t1", { metric: "text.safety", ...inAddress(list, 7) }));
  expect(listOf(address.query)).toEqual({ ...list, at: 7 });
});

it.each([{}, { from: "run" }, { from: "nowhere", at: "1" }, { from: "run", at: "-1" }, { from: "run", at: "x" }])(
  "is none for %j",
  (query) => {
    expect(listOf(query as Record<string, string>)).toBeNull();
  },
);

it("asks for the neighbours", () => {
  expect(aroundOf({ ...list, at: 7 })).toMatchObject({
    run: "team/a b",
    status: "failed",
    metric: "text.safety",
    limit: 3,
    offset: 6,
  });
  expect(aroundOf({ ...list, at: 0 })).toMatchObject({ offset: 0 });
  expect(aroundOf({ from: "failures", filters: { hours: "24" }, at: 1 })).toMatchObject({
    hours: 24,
    status: "failed",
  });
});

it("leads back to the page of the list", () => {
  expect(backTo({ ...list, at: 120 }, 50)).toEqual([
    "/runs/team%2Fa%20b",
    { tab: "samples", status: "failed", metric: "text.safety", offset: 100 },
  ]);
  expect(backTo({ from: "failures", filters: { run: "x", hours: "24" }, at: 3 }, 50)).toEqual([
    "/failures",
    { run: "x", hours: "24", offset: null },
  ]);
});
