import type { AgreementEntry, MetricEntry } from "../api/generated/schema";
import { POLARITY } from "../api/registry";
import { formatCount, formatFixed, formatLimit } from "../lib/format";
import { t } from "../lib/messages";
import { languageOf, summaryOf } from "../lib/metric-words";

const NAMES = { auroc: "AUROC", spearman: "Spearman" } as const;
/** Sets that a tooltip names; the metric's page has all. */
const SHOWN = 4;

/** What a metric measures and how far it was found to agree with people, in a few lines. */
export function MetricFacts({ metric }: { metric: MetricEntry | undefined }) {
  if (!metric) return t("shared.thisMetricIsNotInstalledHere");
  return (
    <>
      <strong {...languageOf(metric.id)}>{summaryOf(metric)}</strong>
      <span>
        {POLARITY[metric.polarity].words}
        {metric.threshold !== null &&
          t("shared.andThreshold", { threshold: formatLimit(metric.threshold, metric.polarity, metric) })}
      </span>
      {metric.needs.length > 0 && <span>{t("shared.needs", { needs: metric.needs.join(", ") })}</span>}
      <Trust measured={metric.measured} />
    </>
  );
}

function Trust({ measured }: { measured: readonly AgreementEntry[] }) {
  if (measured.length === 0) return <span className="muted">{t("shared.notYetComparedWithHumanLabels")}</span>;
  const ahead = measured.filter((found) => found.is_ahead).length;
  return (
    <>
      <span className="tooltip-title">{t("shared.agreementWithHumanLabels")}</span>
      {measured.slice(0, SHOWN).map((found) => (
        <span key={`${found.question} ${found.set}`} className="tooltip-row">
          <span>
            {found.set} <span className="muted tiny number">n = {formatCount(found.records)}</span>
          </span>
          <span className="number">{agreement(found)}</span>
        </span>
      ))}
      {measured.length > SHOWN && (
        <span className="muted">{t("shared.andMoreOnItsPage", { measured: measured.length - SHOWN })}</span>
      )}
      <span className={ahead ? "" : "muted"}>{verdict(ahead, measured.length)}</span>
    </>
  );
}

export function agreement({ statistic, value, interval }: AgreementEntry): string {
  return `${NAMES[statistic]} ${formatFixed(value, 3)} [${interval.map((end) => formatFixed(end, 3)).join(", ")}]`;
}

/** Whether it is worth more than a plain rule, in words. */
export function verdict(ahead: number, sets: number): string {
  if (!ahead) return t("shared.notBetterThanBaselinesSuchAs");
  return ahead === sets ? t("shared.betterOnAllSets", { sets }) : t("shared.betterOnSomeSets", { ahead, sets });
}
