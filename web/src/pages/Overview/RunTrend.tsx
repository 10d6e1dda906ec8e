import type { DatasetEntry, RunPoint } from "../../api/generated/schema";
import { Chart } from "../../components/ui/Chart";
import { formatDay, formatEnds, formatMoment, formatShare } from "../../lib/format";
import { t } from "../../lib/messages";
import { href, pathTo } from "../../lib/url";
import { useWidth } from "../../lib/width";

const HEIGHT = 240;
const EDGE = { left: 44, right: 24, top: 28, bottom: 44 };
/** Runs that are drawn, the newest. */
const SHOWN = 24;

/** The pass rate of every run of a dataset with its interval, and what people noted. */
export function RunTrend({ dataset }: { dataset: DatasetEntry }) {
  const [frame, width] = useWidth<HTMLDivElement>(520);
  const runs = dataset.runs.slice(0, SHOWN).toReversed();
  const known = runs
    .map((run, index) => ({ run, index }))
    .filter((point): point is { run: RunPoint & { pass_rate: number }; index: number } => point.run.pass_rate !== null);
  const x = (index: number) =>
    EDGE.left + ((width - EDGE.left - EDGE.right) * (index + 0.5)) / Math.max(1, runs.length);
  const y = (share: number) => EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - share);
  const every = Math.ceil((runs.length * 70) / Math.max(1, width - EDGE.left - EDGE.right));
  const path = known
    .map(({ run, index }, place) => `${place ? "L" : "M"}${x(index).toFixed(1)} ${y(run.pass_rate).toFixed(1)}`)
    .join("");
  const noted = runs.filter((run) => run.note || run.is_baseline);
  return (
    <Chart title={t("overview.trend")} note={t("overview.passRateByRunWith95Intervals")} file="trend">
      <div ref={frame}>
        <svg className="drawing run-trend" viewBox={`0 0 ${width} ${HEIGHT}`}>
          <title>{t("overview.passRateOfRuns", { runs: runs.length })}</title>
          {[0, 0.5, 1].map((tick) => (
            <g key={tick}>
              <line className="grid" x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} />
              <text x={EDGE.left - 8} y={y(tick)} textAnchor="end" dominantBaseline="middle">
                {formatShare(tick, 0)}
              </text>
            </g>
          ))}
          <path className="line" d={path} />
          {runs.map((run, index) => (
            <g key={run.name}>
              {(run.is_baseline || run.note) && (
                <>
                  <line className="cursor" x1={x(index)} x2={x(index)} y1={EDGE.top - 8} y2={HEIGHT - EDGE.bottom} />
                  <text x={x(index)} y={EDGE.top - 14} textAnchor="middle">
                    {run.is_baseline ? t("common.baseline") : t("overview.note")}
                  </text>
                </>
              )}
              {run.pass_rate_interval && (
                <path
                  className="whisker"
                  d={`M${x(index)} ${y(run.pass_rate_interval[0])}V${y(run.pass_rate_interval[1])}`}
                />
              )}
              {run.pass_rate !== null && (
                <a href={href(pathTo("/runs/:run", { run: run.name }))}>
                  <title>{wordsOf(run)}</title>
                  <circle className="dot" cx={x(index)} cy={y(run.pass_rate)} r="5" />
                </a>
              )}
              {(runs.length - 1 - index) % every === 0 && (
                <text x={x(index)} y={HEIGHT - EDGE.bottom + 18} textAnchor="middle">
                  {short(run.name)}
                  <tspan x={x(index)} dy="1.25em">
                    {formatDay(run.created)}
                  </tspan>
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      {noted.length > 0 && (
        <ul className="trend-notes small">
          {noted.map((run) => (
            <li key={run.name}>
              <strong dir="auto">{run.name}</strong>
              {run.is_baseline && <span className="muted"> {t("overview.baseline")}</span>}
              {run.note && <span dir="auto"> · {run.note}</span>}
            </li>
          ))}
        </ul>
      )}
    </Chart>
  );
}

function wordsOf(run: RunPoint): string {
  const interval = run.pass_rate_interval;
  return [
    `${run.name}: ${formatShare(run.pass_rate)}`,
    interval ? t("common.interval95", { interval: formatEnds(interval, formatShare) }) : "",
    t("overview.judged", { judged: run.judged }),
    formatMoment(run.created),
  ]
    .filter(Boolean)
    .join("; ");
}

function short(name: string): string {
  return name.length > 12 ? `${name.slice(0, 11)}…` : name;
}
