import { useState } from "react";
import type { CardAnswer, TurnEntry } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { SampleText } from "../../components/SampleText";
import { Badge } from "../../components/ui/Badge";
import { Chart } from "../../components/ui/Chart";
import { Meter } from "../../components/ui/Meter";
import { Notice } from "../../components/ui/Notice";
import { Radar } from "../../components/ui/Radar";
import { formatNumber, formatScore, labelOf } from "../../lib/format";
import { contextTexts } from "../../lib/sample-texts";
import { claimMetric, claimsOf, idOf, toneOfScore } from "./bands";
import { CardMetrics } from "./CardMetrics";

const SCORE = { unit: "", range: [0, 100] as const };

/** The governance scorecard: dimensions, reasons, alerts, claims, and every metric with its evidence. */
export function Card({ turn }: { turn: TurnEntry }) {
  const { card } = turn;
  const { label } = useRegistry();
  const claims = claimMetric(card);
  const [chosen, setChosen] = useState<{ dimension: string; name: string } | null>(
    claims ? { dimension: claims.dimension, name: claims.name } : null,
  );
  const test = useAnswer("get_test", { test_id: turn.test_id }, { isFixed: true });
  const metric = chosen ? card.metrics[chosen.dimension]?.find(({ name }) => name === chosen.name) : undefined;
  const texts = [
    { field: "query", label: "Query", text: turn.query ?? "" },
    { field: "response", label: "Answer", text: turn.response ?? "" },
    ...(test.data ? contextTexts(test.data.sample) : []),
  ].filter(({ text }) => text);
  return (
    <>
      {card.alerts.length > 0 && (
        <Notice tone="bad">
          <h2 className="alerts-title">Needs attention</h2>
          <ul className="alerts">
            {card.alerts.map((alert) => (
              <li key={alert}>{alert}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="columns">
        <Chart title="Nine dimensions" note="0 to 100, higher is better" file="scorecard">
          <Radar axes={Object.entries(card.dimensions).map(([name, score]) => ({ label: labelOf(name), score }))} />
        </Chart>
        <Dimensions card={card} />
      </div>
      <div className="columns">
        <Reasons card={card} />
        <Claims card={card} response={turn.response ?? ""} />
      </div>
      <section aria-labelledby="metrics-of-card">
        <div className="section-head">
          <h2 id="metrics-of-card">Metrics and their evidence</h2>
          <span className="muted small">
            {metric?.evidence.length ? (
              <>
                highlighted: the evidence for <strong>{label(idOf(metric))}</strong>
              </>
            ) : (
              "choose a metric to see its evidence in the texts"
            )}
          </span>
        </div>
        <div className="sample">
          <div className="sample-texts">
            {texts.map((text) => (
              <SampleText
                key={text.field}
                text={text}
                evidence={(metric?.evidence ?? []).filter((span) => span.field === text.field)}
              />
            ))}
          </div>
          <CardMetrics card={card} chosen={chosen} onChoose={setChosen} />
        </div>
      </section>
    </>
  );
}

function Dimensions({ card }: { card: CardAnswer }) {
  const imputedIn = (dimension: string) =>
    (card.metrics[dimension] ?? []).filter(({ state }) => state === "imputed").length;
  return (
    <section aria-labelledby="dimensions">
      <div className="section-head">
        <h2 id="dimensions">Scores and weights</h2>
        <span className="muted small">
          {card.includes_imputed ? "imputed values count" : "imputed values do not count"}
        </span>
      </div>
      <dl className="dimensions">
        {Object.entries(card.dimensions).map(([name, score]) => (
          <div key={name}>
            <dt>
              {labelOf(name)} {imputedIn(name) > 0 && <Badge tone="warn">{imputedIn(name)} imputed</Badge>}
            </dt>
            <dd>
              <Meter value={score} scale={SCORE} tone={toneOfScore(score)} label={labelOf(name)} />
              <span className="number">{formatScore(score)}</span>
              <span className="muted tiny number">weight {formatNumber(card.weights[name] ?? 0, 2)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Reasons({ card }: { card: CardAnswer }) {
  return (
    <section aria-labelledby="reasons">
      <div className="section-head">
        <h2 id="reasons">Why</h2>
        <span className="muted small">the lowest dimensions</span>
      </div>
      <ol className="reasons">
        {card.reasoning.map(({ dimension, score, reason }) => (
          <li key={dimension}>
            <strong>{labelOf(dimension)}</strong>{" "}
            <span className={`number tone-text tone-${toneOfScore(score)}`}>{formatScore(score)}</span>
            <p className="small" dir="auto">
              {reason}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Claims({ card, response }: { card: CardAnswer; response: string }) {
  const claims = claimsOf(response, claimMetric(card));
  return (
    <section aria-labelledby="claims">
      <div className="section-head">
        <h2 id="claims">Claims</h2>
        <span className="muted small number">
          {card.total_claims === null
            ? "could not be checked, as there are no documents"
            : [
                `${card.verified_claims} of ${card.total_claims} rest on the documents`,
                `${card.hallucinated_claims} do not`,
              ].join(", ")}
        </span>
      </div>
      <ul className="claims">
        {claims.map((claim, index) => (
          <li key={index}>
            <Badge tone={claim.status === "verified" ? "good" : "bad"}>{claim.status}</Badge>
            <span dir="auto">{claim.text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
