import { useState } from "react";
import { t } from "../../lib/messages";
import { cutAlong, firstPoints, type Place } from "../../lib/spans";

export interface Evidence extends Place {
  label: string;
}

/** Characters that are shown before a text is unfolded. */
const SHOWN = 1500;

/** Characters that are shown at most before that, so that the first mark is among them. */
const MOST_SHOWN = 10_000;

/** What a mark says of the text: a claim that holds, or one that does not; all other evidence is neither. */
function kindOf(spans: readonly Evidence[]): "holds" | "lacks" | "" {
  if (spans.some(({ label }) => /^(unsupported|contradicted)/.test(label))) return "lacks";
  return spans.some(({ label }) => /^(verified|supported)/.test(label)) ? "holds" : "";
}

/** Text from data, never markup: cut when long, with its evidence marked in place. */
export function LongText({ text, evidence = [] }: { text: string; evidence?: readonly Evidence[] }) {
  const [isWhole, setWhole] = useState(false);
  const first = Math.min(...evidence.map((span) => span.end), Number.POSITIVE_INFINITY);
  const limit = Number.isFinite(first) ? Math.min(MOST_SHOWN, Math.max(SHOWN, first + 300)) : SHOWN;
  const shown = isWhole ? text : firstPoints(text, limit);
  const isCut = shown.length < text.length;
  return (
    <div className="data-text" dir="auto">
      {text === "" && <span className="muted">{t("common.empty")}</span>}
      {cutAlong(shown, evidence).map((piece, index) =>
        piece.spans.length ? (
          <mark
            key={index}
            className={[piece.spans.length > 1 && "deep", kindOf(piece.spans)].filter(Boolean).join(" ")}
            title={piece.spans
              .map((span) => span.label)
              .filter(Boolean)
              .join("\n")}
          >
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
      {isCut && "… "}
      {(isCut || isWhole) && (
        <button type="button" className="unfold" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t("shared.showLess") : t("shared.showAllCharacters", { text: text.length })}
        </button>
      )}
    </div>
  );
}
