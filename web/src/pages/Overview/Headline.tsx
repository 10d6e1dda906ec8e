import type { Comparison, MetricChangeEntry, Standing } from "../../api/generated/schema";
import type { Tone } from "../../api/registry";
import { RunLink } from "../../components/RunLink";
import { Meter } from "../../components/ui/Meter";
import { formatCount, formatDifference, formatMoment, formatShare, type Scale } from "../../lib/format";
import { href } from "../../lib/url";
import { verdictOf } from "../../lib/verdict";

const SHARE: Scale = { unit: "share", range: [0, 1] };
const TONES: Readonly<Record<string, Tone>> = { better: "good", worse: "bad" };

/** The latest run in one sentence, and what became of the one before. */
export function Headline({ standing }: { standing: Standing }) {
  const { run, against, comparison } = standing;
  if (!run) return null;
  return (
    <section className="now" aria-label="How it is now">
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
                Compared with <RunLink name={against.name} />,{" "}
                {against.is_baseline ? "the baseline" : "the run before it"}:{" "}
                <a href={href("/compare", { a: comparison.a, b: comparison.b, by: comparison.paired_by })}>
                  all {formatCount(comparison.pairs)} pairs
                </a>
                .
              </span>
            </>
          ) : against ? (
            <span className="muted" dir="auto">
              It cannot be compared with <RunLink name={against.name} />: {standing.problem}
            </span>
          ) : (
            <span className="muted">
              The first run of these questions. Score the next version's answers to see what changed.
            </span>
          )}
        </p>
      </div>
      <div className="figures">
        <Rate
          label="Pass rate"
          value={run.pass_rate}
          interval={run.pass_rate_interval}
          change={comparison?.metrics.find((one) => one.metric === "pass_rate")}
        />
        <Rate
          label="Overall"
          value={run.overall}
          interval={run.overall_interval}
          change={comparison?.metrics.find((one) => one.metric === "overall")}
        />
      </div>
    </section>
  );
}

/** A share of the whole run with its interval, and how it changed. */
function Rate({
  label,
  value,
  interval,
  change,
}: {
  label: string;
  value: number | null;
  interval: readonly [number, number] | null;
  change: MetricChangeEntry | undefined;
}) {
  const tone = TONES[change?.verdict ?? ""] ?? "neutral";
  return (
    <div className="figure">
      <h2 className="figure-label">{label}</h2>
      <p className="figure-value number">{formatShare(value)}</p>
      {value !== null && <Meter value={value} scale={SHARE} interval={interval} label={label} />}
      <p className="muted small number">
        {interval && `95% interval ${formatShare(interval[0])} to ${formatShare(interval[1])}`}
      </p>
      {change && change.difference !== null && (
        <p className="small number">
          <strong className={`tone-text tone-${tone}`}>
            {formatDifference(change.difference, SHARE)} {change.verdict === "too few samples" ? "" : change.verdict}
          </strong>{" "}
          <span className="muted">
            {change.interval && `[${change.interval.map((end) => formatDifference(end, SHARE)).join(", ")}]`}
            {change.verdict === "too few samples" && " too few samples to be sure"}
          </span>
        </p>
      )}
    </div>
  );
}

/** How many metrics are better and worse for sure, in words. */
function summaryOf(comparison: Comparison) {
  const metrics = comparison.metrics.filter((change) => change.metric.includes("."));
  const count = (verdict: string) => metrics.filter((change) => change.verdict === verdict).length;
  const [worse, better] = [count("worse"), count("better")];
  if (!worse && !better) return <strong>No metric changed for sure.</strong>;
  const words = (number: number) => (number === 1 ? "1 metric" : `${formatCount(number)} metrics`);
  return (
    <strong>
      {worse > 0 ? (
        <span className="tone-text tone-bad">Worse in {words(worse)}</span>
      ) : (
        <span>Worse in no metric</span>
      )}
      , {better > 0 ? <span className="tone-text tone-good">better in {words(better)}</span> : "better in none"}.
    </strong>
  );
}
