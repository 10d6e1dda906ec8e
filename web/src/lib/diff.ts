/** What two texts share, word by word. */

export interface DiffPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Words of one side above which only the common beginning and end are looked for. */
const MOST = 1500;

export function diffWords(before: string, after: string): DiffPart[] {
  const a = words(before);
  const b = words(after);
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < a.length - first && last < b.length - first && a.at(-1 - last) === b.at(-1 - last)) last += 1;
  const middleA = a.slice(first, a.length - last);
  const middleB = b.slice(first, b.length - last);
  const parts: DiffPart[] = [
    { kind: "same", text: a.slice(0, first).join("") },
    ...middle(middleA, middleB),
    { kind: "same", text: a.slice(a.length - last).join("") },
  ];
  return joined(bridged(parts));
}

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu) ?? [];
}

/** The longest common subsequence; two texts that are too long count as wholly different. */
function middle(a: string[], b: string[]): DiffPart[] {
  if (a.length > MOST || b.length > MOST)
    return [
      { kind: "removed", text: a.join("") },
      { kind: "added", text: b.join("") },
    ];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: "same", text: a[i]! });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!))
      parts.push({ kind: "removed", text: a[i++]! });
    else parts.push({ kind: "added", text: b[j++]! });
  }
  return parts;
}

/** Blanks between two changes belong to both, so that a changed passage is one passage. */
function bridged(parts: DiffPart[]): DiffPart[] {
  const isChange = (part: DiffPart | undefined) => part !== undefined && part.kind !== "same";
  const found = joined(parts).flatMap((part, index, all): DiffPart[] =>
    part.kind === "same" && !part.text.trim() && isChange(all[index - 1]) && isChange(all[index + 1])
      ? [
          { kind: "removed", text: part.text },
          { kind: "added", text: part.text },
        ]
      : [part],
  );
  return regrouped(found);
}

/** Within a changed passage, all that was removed before all that was added. */
function regrouped(parts: DiffPart[]): DiffPart[] {
  const found: DiffPart[] = [];
  let run: DiffPart[] = [];
  const flush = () => {
    found.push(...run.filter((part) => part.kind === "removed"), ...run.filter((part) => part.kind === "added"));
    run = [];
  };
  for (const part of parts) {
    if (part.kind === "same") {
      flush();
      found.push(part);
    } else run.push(part);
  }
  flush();
  return found;
}

function joined(parts: DiffPart[]): DiffPart[] {
  const found: DiffPart[] = [];
  for (const part of parts) {
    if (!part.text) continue;
    const last = found.at(-1);
    if (last?.kind === part.kind) last.text += part.text;
    else found.push({ ...part });
  }
  return found;
}
