import type { RunMetric } from "../../api/generated/schema";
import type { Registry } from "../../api/registry";
import { Chart } from "../../components/ui/Chart";
import { formatCount, formatValue } from "../../lib/format";
import { t } from "../../lib/messages";
import { useWidth } from "../../lib/width";

const CELL = { width: 172, height: 92, top: 34, bars: 46, gap: 16 };

/** The distributions of all metrics in one drawing, for reports and slides. */
export function Distributions({
  run,
  metrics,
  registry,
}: {
  run: string;
  metrics: readonly RunMetric[];
  registry: Registry;
}) {
  const drawn = metrics.filter((entry) => Math.max(0, ...entry.distribution) > 0);
  if (drawn.length === 0) return null;
  return (
    <details className="more">
      <summary>{t("run.allDistributions")}</summary>
      <Chart title={t("run.distributions")} note={t("run.samplesByQualityTheWorstOn")} file={`${run}-distributions`}>
        <Grid drawn={drawn} registry={registry} />
      </Chart>
    </details>
  );
}

function Grid({ drawn, registry }: { drawn: readonly RunMetric[]; registry: Registry }) {
  const [frame, width] = useWidth<HTMLDivElement>(960);
  const columns = Math.max(1, Math.floor((width + CELL.gap) / (CELL.width + CELL.gap)));
  const step = (width + CELL.gap) / columns;
  const height = Math.ceil(drawn.length / columns) * CELL.height;
  const words = drawn
    .map((entry) =>
      t("run.metricMean", {
        metric: registry.label(entry.metric),
        mean: formatValue(entry.mean, registry.scale(entry.metric)),
      }),
    )
    .join("; ");
  return (
    <div ref={frame}>
      <svg className="drawing" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
        {drawn.map((entry, index) => (
          <g
            key={entry.metric}
            transform={`translate(${[
              ((index % columns) * step).toFixed(1),
              Math.floor(index / columns) * CELL.height,
            ].join(" ")})`}
          >
            <text className="value" y="12">
              {registry.label(entry.metric)}
            </text>
            <text y="27">
              {[formatValue(entry.mean, registry.scale(entry.metric)), `n = ${formatCount(entry.scored)}`].join(" · ")}
            </text>
            <Bars bins={entry.distribution} width={step - CELL.gap} />
          </g>
        ))}
      </svg>
    </div>
  );
}

function Bars({ bins, width }: { bins: readonly number[]; width: number }) {
  const most = Math.max(...bins);
  const step = width / bins.length;
  const base = CELL.top + CELL.bars;
  return (
    <>
      {bins.map((count, index) => {
        const height = count ? Math.max(1.5, (CELL.bars * count) / most) : 0;
        return (
          <rect
            key={index}
            className="bin"
            x={(index * step + 0.5).toFixed(1)}
            width={(step - 1).toFixed(1)}
            y={(base - height).toFixed(1)}
            height={height.toFixed(1)}
          />
        );
      })}
      <line className="grid" x1="0" x2={width} y1={base + 0.5} y2={base + 0.5} />
    </>
  );
}
