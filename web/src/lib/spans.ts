/** Cuts a text along its evidence, so that each piece can be shown with what marks it. */

export interface Place {
  /** Where it begins and ends, in Unicode code points as the server counts them. */
  start: number;
  end: number;
}

export interface Piece<Span extends Place> {
  text: string;
  /** The spans that cover the whole piece, in the order given. */
  spans: Span[];
}

/** UTF-16 offsets of the given code points; those past the end stand at the end. */
export function utf16Offsets(text: string, points: Iterable<number>): Map<number, number> {
  const wanted = [...new Set(points)].sort((a, b) => a - b);
  const found = new Map<number, number>();
  let point = 0;
  let offset = 0;
  for (const goal of wanted) {
    while (point < goal && offset < text.length) {
      offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
      point += 1;
    }
    found.set(goal, offset);
  }
  return found;
}

/** The text in pieces; joined they are the text again. Spans may overlap, nest or lie outside. */
export function cutAlong<Span extends Place>(text: string, spans: readonly Span[]): Piece<Span>[] {
  if (text === "") return [];
  const offsets = utf16Offsets(text, [0, ...spans.flatMap((span) => [Math.max(0, span.start), Math.max(0, span.end)])]);
  const placed = spans
    .map((span) => ({ span, start: offsets.get(Math.max(0, span.start))!, end: offsets.get(Math.max(0, span.end))! }))
    .filter((place) => place.start < place.end);
  const cuts = [...new Set([0, text.length, ...placed.flatMap((place) => [place.start, place.end])])].sort(
    (a, b) => a - b,
  );
  const byStart = [...placed].sort((a, b) => a.start - b.start);
  const order = new Map(spans.map((span, index) => [span, index]));
  let open: typeof placed = [];
  let next = 0;
  return cuts.slice(0, -1).map((start, index) => {
    open = open.filter((place) => place.end > start);
    for (let place = byStart[next]; place !== undefined && place.start <= start; place = byStart[next]) {
      if (place.end > start) open.push(place);
      next += 1;
    }
    const covering = open.map((place) => place.span).sort((a, b) => order.get(a)! - order.get(b)!);
    return { text: text.slice(start, cuts[index + 1]), spans: covering };
  });
}

/** The first code points of a text, never cutting a pair of surrogates. */
export function firstPoints(text: string, count: number): string {
  if (text.length <= count) return text;
  return text.slice(0, utf16Offsets(text, [count]).get(count));
}
