import { expect, it } from "vitest";
import { parseMarkdown } from "./markdown";

it("tells prose, formulas and lists apart", () => {
  const text = "The share of `hedges.en`\nin **all**:\n\n    value = a / b\n\n- one\n  more\n- two";
  expect(parseMarkdown(text)).toEqual([
    {
      kind: "paragraph",
      parts: [
        { kind: "text", text: "The share of " },
        { kind: "code", text: "hedges.en" },
        { kind: "text", text: " in " },
        { kind: "strong", text: "all" },
        { kind: "text", text: ":" },
      ],
    },
    { kind: "code", text: "value = a / b" },
    { kind: "list", items: [[{ kind: "text", text: "one more" }], [{ kind: "text", text: "two" }]] },
  ]);
});

it("leaves markup as the text that it is", () => {
  const text = "<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](https://x.example/y.png)";
  expect(parseMarkdown(text)).toEqual([{ kind: "paragraph", parts: [{ kind: "text", text }] }]);
});
