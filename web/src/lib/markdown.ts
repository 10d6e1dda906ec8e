/** The little Markdown that a metric's documentation is written in, as data for safe elements. */

export type Inline = { kind: "text" | "code" | "strong"; text: string };
export type Block =
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "list"; items: Inline[][] };

export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  for (const chunk of text.split(/\n[ \t]*\n/)) {
    const lines = chunk.split("\n").filter((line) => line.trim());
    if (lines.length === 0) continue;
    if (lines.every((line) => line.startsWith("    ")))
      blocks.push({ kind: "code", text: lines.map((line) => line.slice(4)).join("\n") });
    else if (/^[-*] /.test(lines[0]!.trim())) blocks.push({ kind: "list", items: items(lines).map(parseInline) });
    else blocks.push({ kind: "paragraph", parts: parseInline(lines.map((line) => line.trim()).join(" ")) });
  }
  return blocks;
}

function items(lines: string[]): string[] {
  const found: string[] = [];
  for (const line of lines.map((one) => one.trim()))
    if (/^[-*] /.test(line)) found.push(line.slice(2));
    else found[found.length - 1] += ` ${line}`;
  return found;
}

function parseInline(text: string): Inline[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter(Boolean)
    .map((part) => {
      if (part.length > 2 && part.startsWith("`") && part.endsWith("`"))
        return { kind: "code", text: part.slice(1, -1) };
      if (part.length > 4 && part.startsWith("**")) return { kind: "strong", text: part.slice(2, -2) };
      return { kind: "text", text: part };
    });
}
