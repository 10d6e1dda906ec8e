import { useState } from "react";
import { formatMoment, parseMoment } from "../../lib/format";
import { t } from "../../lib/messages";
import { useWidth } from "../../lib/width";

export interface TrendPoint {
  time: string;
  value: number | null;
  /** What stands behind the value. */
  count?: number;
}

interface TrendChartProps {
  points: readonly TrendPoint[];
  label: string;
  format: (value: number) => string;
  /** Ends of the scale; an end that is not given follows the values. */
  low?: number;
  high?: number;
}

const HEIGHT = 190;
const EDGES = { right: 12, top: 12, bottom: 26 };
/** The room that one character of a label takes. */
const CHARACTER = 7;

/** A line in time; the value nearest to the pointer is written out. */
export function TrendChart({ points, label, format, low, high }: TrendChartProps) {
  const [near, setNear] = useState<number | null>(null);
  const [frame, width] = useWidth<HTMLDivElement>(520);
  const known = points
    .map((point) => ({ ...point, at: parseMoment(point.time).getTime() }))
    .filter((point): point is typeof point & { value: number } => point.value !== null);
  if (known.length === 0) return <p className="muted small">{t("shared.noValuesInThisPeriod")}</p>;
  const values = known.map((point) => point.value);
  const bottom = low ?? Math.min(0, ...values);
  const top = Math.max(high ?? niceTop(Math.max(...values)), bottom + 1e-9);
  const ticks = [bottom, (bottom + top) / 2, top];
  const edge = { ...EDGES, left: 12 + CHARACTER * Math.max(...ticks.map((tick) => format(tick).length)) };
  const [first, last] = [known[0]!.at, known.at(-1)!.at];
  const x = (at: number) =>
    last === first
      ? (edge.left + width - edge.right) / 2
      : edge.left + ((width - edge.left - edge.right) * (at - first)) / (last - first);
  const y = (value: number) =>
    HEIGHT - edge.bottom - ((HEIGHT - edge.top - edge.bottom) * (value - bottom)) / (top - bottom);
  const path = known
    .map((point, index) => `${index ? "L" : "M"}${x(point.at).toFixed(1)} ${y(point.value).toFixed(1)}`)
    .join("");
  const base = y(bottom);
  const chosen = near === null ? undefined : known[near];
  const find = (event: React.PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const place = ((event.clientX - box.left) * width) / box.width;
    setNear(
      known.reduce(
        (best, point, index) => (Math.abs(x(point.at) - place) < Math.abs(x(known[best]!.at) - place) ? index : best),
        0,
      ),
    );
  };
  return (
    <div className="trend" ref={frame}>
      <svg
        className="drawing"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={t("shared.hoursFromTo", {
          label,
          known: known.length,
          values: format(values[0]!),
          value: format(values.at(-1)!),
        })}
        onPointerMove={find}
        onPointerLeave={() => setNear(null)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={edge.left} x2={width - edge.right} y1={y(tick)} y2={y(tick)} />
            <text x={edge.left - 8} y={y(tick)} textAnchor="end" dominantBaseline="middle">
              {format(tick)}
            </text>
          </g>
        ))}
        {known.length > 1 && <path className="area" d={`${path}L${x(last)} ${base}L${x(first)} ${base}Z`} />}
        <path className="line" d={path} />
        {known.length <= 60 &&
          known.map((point) => (
            <circle
              key={point.time}
              className="dot"
              cx={x(point.at)}
              cy={y(point.value)}
              r={known.length === 1 ? 4 : 2.5}
            />
          ))}
        {(last === first ? [known[0]!] : [known[0]!, known.at(-1)!]).map((point, index) => (
          <text
            key={point.time}
            x={x(point.at)}
            y={HEIGHT - 6}
            textAnchor={last === first ? "middle" : index ? "end" : "start"}
          >
            {formatMoment(point.time)}
          </text>
        ))}
        {chosen && <line className="cursor" x1={x(chosen.at)} x2={x(chosen.at)} y1={edge.top} y2={base} />}
        {chosen && <circle className="dot near" cx={x(chosen.at)} cy={y(chosen.value)} r="4.500" />}
      </svg>
      <p className="trend-note number small muted" aria-live="off">
        {chosen
          ? [
              formatMoment(chosen.time),
              format(chosen.value),
              ...(chosen.count === undefined ? [] : [t("shared.tests", { count: chosen.count })]),
            ].join(" · ")
          : " "}
      </p>
    </div>
  );
}

function niceTop(value: number): number {
  if (value <= 0) return 1;
  const step = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * step).find((top) => top >= value)!;
}
