import type { ResultEntry } from "../api/generated/schema";
import { type Tone, useRegistry } from "../api/registry";
import { formatLimit, formatValue, NOTHING } from "../lib/format";
import { IN_ENGLISH, t } from "../lib/messages";
import { href, pathTo } from "../lib/url";
import { Details } from "./Details";
import { Meter } from "./ui/Meter";
import { Status } from "./ui/Status";

const TONES: Readonly<Record<string, Tone>> = { pass: "good", fail: "bad", unsure: "warn", none: "neutral" };

/** One score with its reason; its evidence is marked in the texts when it is chosen. */
export function Result({
  id,
  result,
  isChosen,
  onChoose,
}: {
  id: string;
  result: ResultEntry;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { metrics, label, scale } = useRegistry();
  const metric = metrics.get(id);
  const unit = scale(id);
  const labels = [...new Set(result.evidence.map((span) => span.label).filter(Boolean))];
  const tone = result.gates ? TONES[result.verdict ?? "none"] : "neutral";
  return (
    <li className="result" data-chosen={isChosen || undefined}>
      <button type="button" className="result-name" aria-pressed={isChosen} onClick={onChoose}>
        <span>{label(id)}</span>
        <span className={`number tone-text tone-${tone}`}>
          {result.value === null ? NOTHING : formatValue(result.value, unit)}
        </span>
      </button>
      {result.value !== null && (metric?.range[1] ?? null) !== null && (
        <Meter value={result.value} scale={unit} threshold={result.threshold} tone={tone} />
      )}
      <p className="small">
        {result.state !== "ok" && <Status word={result.state} />}{" "}
        {result.gates && result.verdict === "unsure" && <Status word="unsure" />}{" "}
        {!result.gates && <Status word="informational" />} <span {...IN_ENGLISH}>{result.explanation}</span>
      </p>
      {isChosen && (
        <div className="result-more tiny muted">
          <p>
            <a href={href(pathTo("/metrics/:id", { id }))}>{id}</a>
            {result.threshold !== null &&
              t("shared.dotThreshold", {
                threshold: formatLimit(result.threshold, metric?.polarity ?? "higher", unit),
              })}
            {result.evidence.length === 0 && t("shared.noEvidenceToHighlight")}
          </p>
          {labels.length > 0 && (
            <p dir="auto">
              {t("shared.highlighted", {
                value: labels.slice(0, 12).join(", "),
                value2: labels.length > 12 && t("shared.andMore", { labels: labels.length - 12 }),
              })}
            </p>
          )}
          {Object.keys(result.details).length > 0 && (
            <details>
              <summary>{t("shared.details")}</summary>
              <Details details={result.details} />
            </details>
          )}
          <p className="id">{result.signature}</p>
        </div>
      )}
    </li>
  );
}
