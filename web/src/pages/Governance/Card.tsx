import { type ReactNode, useState } from "react";
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
import { IN_ENGLISH, rich, t, word } from "../../lib/messages";
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
    { field: "query", label: t("common.query"), text: turn.query ?? "" },
    { field: "response", label: t("common.answer"), text: turn.response ?? "" },
    ...(test.data ? contextTexts(test.data.sample) : []),
  ].filter(({ text }) => text);
  return (
    <>
      {card.alerts.length > 0 && (
        <Notice tone="bad">
          <h2 className="alerts-title">{t("governance.needsAttention")}</h2>
          <ul className="alerts">
            {card.alerts.map((alert) => (
              <li key={alert} {...IN_ENGLISH}>
                {alert}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="columns">
        <Chart title={t("governance.nineDimensions")} note={t("common.0To100HigherIsBetter")} file="scorecard">
          <Radar
            axes={Object.entries(card.dimensions).map(([name, score]) => ({
              label: labelOf(name),
              score,
              reason: whyUnscored(card, name),
            }))}
          />
        </Chart>
        <Dimensions card={card} />
      </div>
      <div className="columns">
        <Reasons card={card} />
        <Claims card={card} response={turn.response ?? ""} />
      </div>
      <section aria-labelledby="metrics-of-card">
        <div className="section-head">
          <h2 id="metrics-of-card">{t("governance.metricsAndTheirEvidence")}</h2>
          <span className="muted small">
            {metric?.evidence.length
              ? rich("governance.highlightedTheEvidenceFor", { strong: <strong>{label(idOf(metric))}</strong> })
              : t("governance.chooseAMetricToSeeIts")}
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

/** Why a dimension has no score: one of its metrics failed, or none was measured; and the first one's own words. */
function whyUnscored(card: CardAnswer, dimension: string): ReactNode {
  const metrics = card.metrics[dimension] ?? [];
  const failed = metrics.find(({ state }) => state === "error");
  const first = failed ?? metrics.find(({ state }) => state === "missing") ?? metrics[0];
  return (
    <>
      {failed
        ? t("governance.oneOfItsMetricsFailed")
        : t("governance.noneOfItsMetricsIsMeasured", { count: metrics.length })}{" "}
      <span {...IN_ENGLISH}>{first?.explanation}</span>
    </>
  );
}

function Dimensions({ card }: { card: CardAnswer }) {
  const imputedIn = (dimension: string) =>
    (card.metrics[dimension] ?? []).filter(({ state }) => state === "imputed").length;
  return (
    <section aria-labelledby="dimensions">
      <div className="section-head">
        <h2 id="dimensions">{t("governance.scoresAndWeights")}</h2>
        <span className="muted small">
          {card.includes_imputed ? t("governance.imputedValuesCount") : t("governance.imputedValuesDoNotCount")}
        </span>
      </div>
      <dl className="dimensions">
        {Object.entries(card.dimensions).map(([name, score]) => (
          <div key={name}>
            <dt>
              {labelOf(name)}{" "}
              {imputedIn(name) > 0 && <Badge tone="warn">{t("governance.imputed", { name: imputedIn(name) })}</Badge>}
            </dt>
            <dd>
              <Meter value={score} scale={SCORE} tone={toneOfScore(score)} label={labelOf(name)} />
              <span className="number">{formatScore(score)}</span>
              <span className="muted tiny number">
                {t("governance.weight", { weights: formatNumber(card.weights[name] ?? 0, 2) })}
              </span>
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
        <h2 id="reasons">{t("common.why")}</h2>
        <span className="muted small">{t("governance.theLowestDimensions")}</span>
      </div>
      <ol className="reasons">
        {card.reasoning.map(({ dimension, score, reason }) => (
          <li key={dimension}>
            <strong>{labelOf(dimension)}</strong>{" "}
            <span className={`number tone-text tone-${toneOfScore(score)}`}>{formatScore(score)}</span>
            <p className="small" {...IN_ENGLISH}>
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
        <h2 id="claims">{t("governance.claims")}</h2>
        <span className="muted small number">
          {card.total_claims === null
            ? t("governance.couldNotBeCheckedAsThere")
            : [
                t("governance.ofRestOnTheDocuments", {
                  verified_claims: card.verified_claims,
                  total_claims: card.total_claims,
                }),
                t("governance.doNot", { hallucinated_claims: card.hallucinated_claims }),
              ].join(", ")}
        </span>
      </div>
      <ul className="claims">
        {claims.map((claim, index) => (
          <li key={index}>
            <Badge tone={claim.status === "verified" ? "good" : "bad"}>{word(claim.status)}</Badge>
            <span dir="auto">{claim.text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
