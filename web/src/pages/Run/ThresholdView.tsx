import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { MetricValues } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { Button } from "../../components/ui/Button";
import { formatLimit, formatShare, formatValue, type Scale } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { binsOf, cutAt } from "../../lib/threshold";
import { useWidth } from "../../lib/width";
import { Bins } from "./Bins";

const HEIGHT = 120;
const EDGE = { left: 8, right: 8, top: 16, bottom: 22 };
const BINS = 24;

interface ThresholdViewProps {
  run: string;
  metric: string;
  /** The values that the list is narrowed to. */
  range: readonly [number | undefined, number | undefined];
  onRange: (from: number | null, to: number | null) => void;
}

/** The values of a metric: a bar or a drag over several narrows the list, and the threshold can be moved. */
export function ThresholdView(props: ThresholdViewProps) {
  const { data } = useAnswer("list_run_values", { name: props.run, metric: props.metric });
  const { metrics, scale } = useRegistry();
  if (!data || data.values.length < 2) return null;
  const polarity = metrics.get(props.metric)?.polarity ?? "higher";
  return <Explorer {...props} data={data} polarity={polarity} scale={scale(props.metric)} />;
}

function Explorer({
  metric,
  range,
  onRange,
  data,
  polarity,
  scale,
}: ThresholdViewProps & { data: MetricValues; polarity: string; scale: Scale }) {
  const { label } = useRegistry();
  const [frame, width] = useWidth<HTMLDivElement>(640);
  const drawing = useRef<SVGSVGElement>(null);
  const { values, labels } = data;
  const low = scale.range[0] ?? Math.min(...values);
  const high = scale.range[1] ?? Math.max(...values);
  const [own, setOwn] = useState<number | null>(null);
  const threshold = own ?? data.threshold;
  const bins = binsOf(values, low, high, BINS);
  const most = Math.max(...bins.map((bin) => bin.count));
  const x = (value: number) => EDGE.left + ((width - EDGE.left - EDGE.right) * (value - low)) / (high - low || 1);
  const y = (count: number) => HEIGHT - EDGE.bottom - ((HEIGHT - EDGE.top - EDGE.bottom) * count) / most;
  const move = (value: number) => setOwn(Math.min(high, Math.max(low, value)));
  /** Where a pointer is, from 0 at the low end to 1 at the high one. */
  const shareAt = (event: PointerEvent) => {
    const box = drawing.current!.getBoundingClientRect();
    const at = ((event.clientX - box.left) * width) / box.width;
    return (at - EDGE.left) / (width - EDGE.left - EDGE.right);
  };
  const drag = (event: PointerEvent) => {
    if (event.buttons === 1) move(low + shareAt(event) * (high - low));
  };
  const step = (event: KeyboardEvent) => {
    const size = (high - low) / (event.shiftKey ? 10 : 100);
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!way || threshold === null) return;
    event.preventDefault();
    move(threshold + way * size);
  };
  const isIn = (from: number, to: number) =>
    range[0] === undefined || (from >= range[0] - 1e-9 && to <= (range[1] ?? high) + 1e-9);
  return (
    <section className="threshold-view" aria-label={t("run.valuesOf", { metric: label(metric) })}>
      <div ref={frame}>
        <svg ref={drawing} className="drawing" viewBox={`0 0 ${width} ${HEIGHT}`}>
          <title>{t("run.valuesOf", { metric: label(metric) })}</title>
          {bins.map((bin) => (
            <rect
              key={bin.from}
              className={isIn(bin.from, bin.to) ? "bin" : "bin outside"}
              x={x(bin.from) + 1}
              width={Math.max(1, x(bin.to) - x(bin.from) - 2)}
              y={bin.count ? Math.min(y(bin.count), HEIGHT - EDGE.bottom - 2) : HEIGHT - EDGE.bottom}
              height={bin.count ? Math.max(2, HEIGHT - EDGE.bottom - y(bin.count)) : 0}
            />
          ))}
          <Bins
            bins={bins}
            x={x}
            top={EDGE.top}
            bottom={HEIGHT - EDGE.bottom}
            shareAt={shareAt}
            scale={scale}
            onRange={onRange}
          />
          <line
            className="grid"
            x1={EDGE.left}
            x2={width - EDGE.right}
            y1={HEIGHT - EDGE.bottom}
            y2={HEIGHT - EDGE.bottom}
          />
          <text x={EDGE.left} y={HEIGHT - 6}>
            {formatValue(low, scale)}
          </text>
          <text x={width - EDGE.right} y={HEIGHT - 6} textAnchor="end">
            {formatValue(high, scale)}
          </text>
          {threshold !== null && (
            <g
              className="threshold-line"
              role="slider"
              tabIndex={0}
              aria-label={t("common.threshold")}
              aria-valuemin={low}
              aria-valuemax={high}
              aria-valuenow={threshold}
              aria-valuetext={formatValue(threshold, scale)}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={drag}
              onKeyDown={step}
            >
              <rect x={x(threshold) - 9} width={18} y={0} height={HEIGHT - EDGE.bottom} />
              <line x1={x(threshold)} x2={x(threshold)} y1={4} y2={HEIGHT - EDGE.bottom} />
              <circle cx={x(threshold)} cy={8} r={6} />
            </g>
          )}
        </svg>
      </div>
      <div className="threshold-words">
        {threshold === null ? (
          <span className="muted small">{t("run.thisMetricHasNoOneThreshold")}</span>
        ) : (
          <Figures
            cut={cutAt(values, labels, threshold, polarity)}
            threshold={threshold}
            polarity={polarity}
            scale={scale}
            isMoved={own !== null}
          />
        )}
        <span className="actions push">
          {range[0] !== undefined && (
            <Button kind="quiet" icon="close" onClick={() => onRange(null, null)}>
              {t("number.range", { low: formatValue(range[0], scale), high: formatValue(range[1] ?? high, scale) })}
            </Button>
          )}
          {own !== null && (
            <Button kind="quiet" onClick={() => setOwn(null)}>
              {t("common.reset")}
            </Button>
          )}
          {threshold === null && (
            <Button kind="quiet" onClick={() => move((low + high) / 2)}>
              {t("run.tryAThreshold")}
            </Button>
          )}
        </span>
      </div>
    </section>
  );
}

function Figures({
  cut,
  threshold,
  polarity,
  scale,
  isMoved,
}: {
  cut: ReturnType<typeof cutAt>;
  threshold: number;
  polarity: string;
  scale: Scale;
  isMoved: boolean;
}) {
  return (
    <p role="status">
      {rich(isMoved ? "run.shareWouldPass" : "run.sharePasses", {
        share: <strong className="number">{formatShare(cut.passRate)}</strong>,
      })}{" "}
      <span className="muted number">
        {t("run.atValue", { value: formatLimit(Number(threshold.toPrecision(3)), polarity, scale) })}
      </span>
      {cut.labelled > 0 && (
        <span className="small">
          {" "}
          {rich("run.againstLabelsPrecisionRecall", {
            labelled: cut.labelled,
            strong: <strong className="number">{formatShare(cut.precision, 0)}</strong>,
            strong2: <strong className="number">{formatShare(cut.recall, 0)}</strong>,
          })}
        </span>
      )}
    </p>
  );
}
