import { expect, it } from "vitest";
import { href, matchPath, parseHash, pathTo } from "./url";

it("reads path and query", () => {
  expect(parseHash("#/runs/monday?page=2&text=a%3Fb")).toEqual({
    path: "/runs/monday",
    query: { page: "2", text: "a?b" },
  });
  expect(parseHash("")).toEqual({ path: "/", query: {} });
});

it("leaves out what is empty", () => {
  expect(href("/tests", { run: "a b", page: null, text: "", offset: 0 })).toBe("#/tests?run=a+b&offset=0");
});

it.each(["monday", "team/monday", "50 %", "الاثنين", "a?b#c"])("carries the name %s", (run) => {
  const path = pathTo("/runs/:run", { run });
  const address = parseHash(href(path, { hours: 24 }));
  expect(matchPath("/runs/:run", address.path)).toEqual({ run });
});

it("tells patterns apart", () => {
  expect(matchPath("/runs", "/runs/")).toEqual({});
  expect(matchPath("/runs", "/runs/a")).toBeNull();
  expect(matchPath("/runs/:run", "/runs/%E0%A4%A")).toEqual({ run: "%E0%A4%A" });
});
