import { expect, it } from "vitest";
import { toCsv, toJson } from "./table-file";

it("quotes what has to be quoted", () => {
  expect(
    toCsv(
      ["a", "b"],
      [
        ['say "hi"', "x,y"],
        [null, true],
      ],
    ),
  ).toBe('a,b\n"say ""hi""","x,y"\n,true\n');
});

it.each(["=1+1", "+1", "-1", "@x", "\tx", "＝1"])("disarms the formula %s", (text) => {
  expect(toCsv(["a"], [[text]])).toContain(`'${text}`);
});

it("leaves numbers alone", () => {
  expect(toCsv(["a"], [[-1.5]])).toBe("a\n-1.5\n");
});

it("writes records", () => {
  expect(JSON.parse(toJson(["a", "b"], [["x", undefined]]))).toEqual([{ a: "x", b: null }]);
});
