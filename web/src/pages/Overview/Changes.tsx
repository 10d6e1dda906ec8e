import type { Comparison, MetricChangeEntry } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { DifferenceBar } from "../../components/DifferenceBar";
import { MetricName } from "../../components/MetricName";
import { isWhole, mergeSame, scaleOf, sizeOf, widestOf, widthOf } from "../../lib/changes";
import { formatDifference, formatInterval, formatValue } from "../../lib/format";
import { t } from "../../lib/messages";
import { href } from "../../lib/url";

/** Changes of a side that are in sight; the others are folded. */
const SHOWN = 6;

/** What got worse and what got better, each with its interval; what may be chance is left out. */
export function Changes({ comparison }: { comparison: Comparison }) {
  const registry = useRegistry();
  const metrics = mergeSame(comparison.metrics.filter((change) => !isWhole(change) && change.difference !== null));
  const widest = widestOf(metrics, registry);
  const sides = (["worse", "better"] as const).map((verdict) => ({
    verdict,
    changes: metrics
      .filter((change) => change.verdict === verdict)
      .toSorted((x, y) => sizeOf(y, registry) - sizeOf(x, registry)),
  }));
  const unsure = metrics.filter((change) => change.verdict === "too few samples" && change.changed > 0);
  return (
    <section aria-label={t("common.whatChanged")}>
      <div className={sides.every(({ changes }) => changes.length > 0) ? "columns" : "one-sided"}>
        {sides.map(({ verdict, changes }) => (
          <div key={verdict}>
            <h2 className="section-head">{verdict === "worse" ? t("overview.worse") : t("common.better")}</h2>
            {changes.length === 0 && <p className="muted">{t(`overview.nothing.${verdict}`)}</p>}
            <Moves changes={changes.slice(0, SHOWN)} comparison={comparison} widest={widest} />
            {changes.length > SHOWN && (
              <details>
                <summary>{t("overview.more", { changes: changes.length - SHOWN })}</summary>
                <Moves changes={changes.slice(SHOWN)} comparison={comparison} widest={widest} />
              </details>
            )}
          </div>
        ))}
      </div>
      {unsure.length > 0 && (
        <p className="muted small">
          {t("overview.moreMovedButNotEnoughToRule", {
            unsure: unsure.length,
            pairs: comparison.pairs,
            unsure2: unsure.map((change) => registry.label(change.metric)).join(", "),
          })}
        </p>
      )}
    </section>
  );
}

function Moves({
  changes,
  comparison,
  widest,
}: {
  changes: readonly MetricChangeEntry[];
  comparison: Comparison;
  widest: number;
}) {
  return (
    <ul className="moves">
      {changes.map((change) => (
        <Move key={change.metric} change={change} comparison={comparison} widest={widest} />
      ))}
    </ul>
  );
}

function Move({ change, comparison, widest }: { change: MetricChangeEntry; comparison: Comparison; widest: number }) {
  const registry = useRegistry();
  const scale = scaleOf(change, registry);
  return (
    <li>
      <MetricName id={change.metric} hasId={false} />
      <span className="number move-values" dir="ltr">
        {formatValue(change.mean_a, scale)} → <strong>{formatValue(change.mean_b, scale)}</strong>
      </span>
      <span className="number">
        <strong>{formatDifference(change.difference, scale)}</strong>
        <span className="muted tiny block">
          {change.interval && `[${change.interval.map((end) => formatDifference(end, scale)).join(", ")}]`}
        </span>
      </span>
      <DifferenceBar
        change={change}
        width={widthOf(change, registry)}
        widest={widest}
        label={t("common.interval95", { interval: formatInterval(change.interval, scale) })}
      />
      <a
        className="small"
        href={href("/compare", {
          a: comparison.a,
          b: comparison.b,
          by: comparison.paired_by,
          tab: "questions",
          only: "changed",
        })}
      >
        {change.lost || change.gained
          ? t("overview.lostGained", { lost: change.lost, gained: change.gained })
          : t("overview.changed", { changed: change.changed })}
      </a>
    </li>
  );
}
