import type { CardAnswer, CardMetricEntry } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { Meter } from "../../components/ui/Meter";
import { Status } from "../../components/ui/Status";
import { formatNumber, formatScore, labelOf, NOTHING } from "../../lib/format";
import { IN_ENGLISH, t } from "../../lib/messages";
import { idOf, toneOfScore } from "./bands";

const SCORE = { unit: "", range: [0, 100] as const };

interface CardMetricsProps {
  card: CardAnswer;
  chosen: { dimension: string; name: string } | null;
  onChoose: (metric: { dimension: string; name: string }) => void;
}

/** Every metric of a card by its dimension; choosing one marks its evidence. */
export function CardMetrics({ card, chosen, onChoose }: CardMetricsProps) {
  return (
    <section className="results" aria-label={t("governance.metricsOfTheCard")}>
      {Object.entries(card.metrics).map(([dimension, metrics]) => (
        <details
          key={dimension}
          open={
            chosen?.dimension === dimension ||
            card.reasoning.some((reason) => reason.dimension === dimension) ||
            undefined
          }
          className="dimension-metrics"
        >
          <summary>
            <span>{labelOf(dimension)}</span>
            <span className={`number tone-text tone-${toneOfScore(card.dimensions[dimension] ?? null)}`}>
              {formatScore(card.dimensions[dimension])}
            </span>
          </summary>
          <ul>
            {metrics.map((metric) => (
              <CardMetric
                key={metric.name}
                metric={metric}
                isChosen={chosen?.dimension === dimension && chosen.name === metric.name}
                onChoose={() => onChoose({ dimension, name: metric.name })}
              />
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

function CardMetric({
  metric,
  isChosen,
  onChoose,
}: {
  metric: CardMetricEntry;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const name = useRegistry().label(idOf(metric));
  const score = metric.normalized_score === null ? null : 100 * metric.normalized_score;
  const tone = metric.state === "imputed" ? "neutral" : toneOfScore(score);
  return (
    <li className="result" data-chosen={isChosen || undefined}>
      <button type="button" className="result-name" aria-pressed={isChosen} onClick={onChoose}>
        <span>{name}</span>
        <span className={`number tone-text tone-${tone}`}>{score === null ? NOTHING : formatScore(score)}</span>
      </button>
      {score !== null && <Meter value={score} scale={SCORE} tone={tone} label={name} />}
      <p className="small">
        {metric.state !== "ok" && <Status word={metric.state} />} <span {...IN_ENGLISH}>{metric.explanation}</span>
      </p>
      {isChosen && (
        <p className="tiny muted">
          {metric.raw_value !== null &&
            metric.raw_value !== metric.normalized_score &&
            t("governance.measured", { raw_value: formatNumber(metric.raw_value) })}
          {metric.evidence.length
            ? t("governance.placesMarked", { evidence: metric.evidence.length })
            : t("governance.noEvidenceToHighlight")}
        </p>
      )}
    </li>
  );
}
