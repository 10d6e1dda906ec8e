import type { ResultEntry } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { Results } from "../../components/Results";
import { SampleText } from "../../components/SampleText";
import { Meter } from "../../components/ui/Meter";
import { Status } from "../../components/ui/Status";
import { formatScore, labelOf } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { firstToShow } from "../../lib/sample-texts";
import { useQuery } from "../../lib/url";
import type { Part } from "./OneAnswer";
import { type SampleDraft, textsOf } from "./sample";

const SCORE = { unit: "", range: [0, 100] as const };

/** The texts with their evidence in place, and every score that is there so far. */
export function Scored({ sample, parts }: { sample: SampleDraft; parts: readonly Part[] }) {
  const [query, setQuery] = useQuery();
  const { label } = useRegistry();
  const results: Record<string, ResultEntry> = Object.assign({}, ...parts.map((part) => part.answer.scores));
  const chosen = query.metric && results[query.metric] ? query.metric : firstToShow(results);
  const evidence = results[chosen]?.evidence ?? [];
  const marked = Object.entries(results).filter(([, result]) => result.evidence.length > 0);
  return (
    <div className="stack">
      <ul className="part-scores" aria-label={t("common.families")}>
        {parts.map(({ name, answer }) => (
          <PartScore
            key={name}
            name={name}
            score={answer.score}
            verdict={answer.verdict}
            selection={answer.selection}
            results={Object.values(answer.scores)}
          />
        ))}
      </ul>
      <div className="sample">
        <div className="sample-texts">
          <p className="muted small">
            {evidence.length > 0
              ? rich("tryIt.highlightedTheEvidenceForChoose", { strong: <strong>{label(chosen)}</strong> })
              : marked.length > 0
                ? t("tryIt.chooseAScoreToSeeIts")
                : t("tryIt.noScoreHasEvidenceInThe")}
          </p>
          {textsOf(sample).map((text) => (
            <SampleText key={text.field} text={text} evidence={evidence.filter((span) => span.field === text.field)} />
          ))}
        </div>
        <Results results={results} chosen={chosen} onChoose={(metric) => setQuery({ metric })} />
      </div>
    </div>
  );
}

const WORDS = { pass: "passed", fail: "failed", unsure: "unsure" } as const;
const TONES = { pass: "good", fail: "bad", unsure: "warn" } as const;

function PartScore({
  name,
  score,
  verdict,
  selection,
  results,
}: {
  name: string;
  score: number | null;
  verdict: "pass" | "fail" | "unsure" | null;
  selection: string;
  results: readonly ResultEntry[];
}) {
  const scored = results.filter((result) => result.value !== null).length;
  const percent = score === null ? null : 100 * score;
  return (
    <li>
      <strong>{name ? labelOf(name) : t("common.all")}</strong>
      <span className="number part-score">{formatScore(percent)}</span>
      {verdict && <Status word={WORDS[verdict]} />}
      <Meter value={percent} scale={SCORE} label={t("common.score")} tone={verdict ? TONES[verdict] : "neutral"} />
      <span className="muted tiny">
        {t("tryIt.ofMetricsHaveAScore", {
          scored,
          results: results.length,
          value: selection && `; ${selection}`,
        })}
      </span>
    </li>
  );
}
