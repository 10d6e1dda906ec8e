import { useState } from "react";
import type { ResultEntry } from "../api/generated/schema";
import { type Registry, useRegistry } from "../api/registry";
import { t } from "../lib/messages";
import { useQuery } from "../lib/url";
import { Result } from "./Result";
import { Choice } from "./ui/Choice";
import "./sample.css";

type Entry = [string, ResultEntry];

const VIEWS = [
  { value: "scored", label: t("common.scored") },
  { value: "failed", label: t("common.failed") },
  { value: "missing", label: t("common.noScore") },
];

const FITS: Readonly<Record<string, (result: ResultEntry) => boolean>> = {
  scored: (result) => result.value !== null,
  failed: (result) => result.gates && (result.verdict === "fail" || result.state === "error"),
  missing: (result) => result.value === null,
};

interface ResultsProps {
  results: Readonly<Record<string, ResultEntry>>;
  chosen: string;
  onChoose: (metric: string) => void;
}

/** Every metric's score of one sample, the weakest first; choosing one marks its evidence. */
export function Results({ results, chosen, onChoose }: ResultsProps) {
  const registry = useRegistry();
  const [words, setWords] = useState("");
  const all = Object.entries(results);
  const failed = all.filter(([, result]) => FITS.failed!(result)).length;
  const [query, setQuery] = useQuery();
  const [atFirst] = useState(failed > 0 && (!chosen || FITS.failed!(results[chosen] ?? EMPTY)) ? "failed" : "scored");
  const view = VIEWS.find(({ value }) => value === query.scores)?.value ?? atFirst;
  const fitting = all
    .filter(([id, result]) => FITS[view]!(result) && matches(registry, id, words))
    .sort((a, b) => weight(a) - weight(b) || a[0].localeCompare(b[0]));
  const options = VIEWS.map((option) => ({
    ...option,
    label: `${option.label} ${all.filter(([, result]) => FITS[option.value]!(result)).length}`,
  }));
  return (
    <section className="results" aria-label={t("common.scores")}>
      <div className="results-head">
        <Choice
          label={t("shared.whichScores")}
          options={options}
          value={view}
          onChange={(scores) => setQuery({ scores })}
        />
        <input
          type="search"
          aria-label={t("shared.findAMetric")}
          placeholder={t("shared.findAMetric")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {fitting.length === 0 && <p className="muted small">{t("shared.noMatchingMetric")}</p>}
      <ul>
        {fitting.map(([id, result]) => (
          <Result key={id} id={id} result={result} isChosen={id === chosen} onChoose={() => onChoose(id)} />
        ))}
      </ul>
    </section>
  );
}

const EMPTY = { verdict: null, gates: false, state: "ok" } as ResultEntry;

function weight([, result]: Entry): number {
  if (result.state === "error") return -2;
  return (result.gates && result.verdict === "fail" ? -1 : result.gates ? 1 : 3) + (result.quality ?? 1);
}

function matches(registry: Registry, id: string, words: string): boolean {
  return `${id} ${registry.label(id)}`.toLowerCase().includes(words.toLowerCase());
}
