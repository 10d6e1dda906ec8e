import type { Comparison, MetricChangeEntry, Standing } from "../../api/generated/schema";
import type { Tone } from "../../api/registry";
import { RunLink } from "../../components/RunLink";
import { Meter } from "../../components/ui/Meter";
import { isWhole, mergeSame, QUALITY, SHARE } from "../../lib/changes";
import { formatDifference, formatInterval, formatMoment, formatValue, type Scale } from "../../lib/format";
import { rich, t, word } from "../../lib/messages";
import { href } from "../../lib/url";
import { verdictOf } from "../../lib/verdict";

const TONES: Readonly<Record<string, Tone>> = { better: "good", worse: "bad" };

/** The latest run in one sentence, and what became of the one before. */
export function Headline({ standing }: { standing: Standing }) {
  const { run, against, comparison } = standing;
  if (!run) return null;
  return (
    <section className="now" aria-label={t("overview.howItIsNow")}>
      <div className="now-verdict">
        <p className="verdict">{verdictOf({ ...run, status: "finished" })}</p>
        <p className="muted">
          <RunLink name={run.name} /> · {formatMoment(run.created)}
          {run.note && (
            <>
              {" "}
              · <span dir="auto">{run.note}</span>
            </>
          )}
        </p>
        <p>
          {comparison && against ? (
            <>
              {summaryOf(comparison)}{" "}
              <span className="muted">
                {rich("overview.comparedWith", {
                  run: <RunLink name={against.name} />,
                  value: against.is_baseline ? t("overview.theBaseline") : t("overview.theRunBeforeIt"),
                  link: (
                    <a href={href("/compare", { a: comparison.a, b: comparison.b, by: comparison.paired_by })}>
                      {t("overview.allPairs", { pairs: comparison.pairs })}
                    </a>
                  ),
                })}
              </span>
            </>
          ) : against ? (
            <span className="muted" dir="auto">
              {rich("overview.itCannotBeComparedWith", {
                run: <RunLink name={against.name} />,
                problem: standing.problem,
              })}
            </span>
          ) : (
            <span className="muted">{t("overview.theFirstRunOfTheseQuestions")}</span>
          )}
        </p>
      </div>
      <div className="figures">
        <Rate
          label={t("common.passRate")}
          scale={SHARE}
          note={t("overview.passRateNote", { passed: run.passed, judged: run.judged })}
          value={run.pass_rate}
          interval={run.pass_rate_interval}
          change={comparison?.metrics.find((one) => one.metric === "pass_rate")}
        />
        <Rate
          label={t("common.meanQuality")}
          scale={QUALITY}
          note={t("common.meanQualityNote")}
          value={run.overall}
          interval={run.overall_interval}
          change={comparison?.metrics.find((one) => one.metric === "overall")}
        />
      </div>
    </section>
  );
}

/** A figure of the whole run with its interval, and how it changed. */
function Rate({
  label,
  note,
  scale,
  value,
  interval,
  change,
}: {
  label: string;
  /** What it is made of. */
  note: string;
  scale: Scale;
  value: number | null;
  interval: readonly [number, number] | null;
  change: MetricChangeEntry | undefined;
}) {
  const tone = TONES[change?.verdict ?? ""] ?? "neutral";
  return (
    <div className="figure">
      <h2 className="figure-label">{label}</h2>
      <p className="figure-value number">{formatValue(value, scale)}</p>
      {value !== null && <Meter value={value} scale={scale} interval={interval} label={label} />}
      <p className="muted small">{note}</p>
      <p className="muted small number">
        {interval && t("common.interval95", { interval: formatInterval(interval, scale) })}
      </p>
      {change && change.difference !== null && (
        <p className="small number">
          <strong className={`tone-text tone-${tone}`}>
            {formatDifference(change.difference, scale)}{" "}
            {change.verdict === "too few samples" ? "" : word(change.verdict)}
          </strong>{" "}
          <span className="muted">
            {change.interval && `[${change.interval.map((end) => formatDifference(end, scale)).join(", ")}]`}
            {change.verdict === "too few samples" && ` ${t("overview.tooFewSamplesToBeSure")}`}
          </span>
        </p>
      )}
    </div>
  );
}

/** How many metrics are better and worse for sure, in words. */
function summaryOf(comparison: Comparison) {
  const metrics = mergeSame(comparison.metrics.filter((change) => !isWhole(change)));
  const count = (verdict: string) => metrics.filter((change) => change.verdict === verdict).length;
  const [worse, better] = [count("worse"), count("better")];
  if (!worse && !better) return <strong>{t("overview.noMetricChangedForSure")}</strong>;
  return (
    <strong>
      {rich("overview.worseAndBetter", {
        worse: (
          <span className={worse > 0 ? "tone-text tone-bad" : ""}>
            {t("overview.worseInMetrics", { count: worse })}
          </span>
        ),
        better: (
          <span className={better > 0 ? "tone-text tone-good" : ""}>
            {t("overview.betterInMetrics", { count: better })}
          </span>
        ),
      })}
    </strong>
  );
}
