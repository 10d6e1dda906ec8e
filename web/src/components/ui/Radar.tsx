import type { ReactNode } from "react";
import { formatScore } from "../../lib/format";

export interface RadarAxis {
  label: string;
  /** From 0 to 100; null leaves a gap. */
  score: number | null;
  /** What is written beside the label instead of the score. */
  shown?: string;
  /** Why there is no score. */
  reason?: ReactNode;
}

const CENTRE = { x: 230, y: 134 };
const RADIUS = 88;

function point(index: number, count: number, share: number): [number, number] {
  const angle = (2 * Math.PI * index) / count - Math.PI / 2;
  return [CENTRE.x + RADIUS * share * Math.cos(angle), CENTRE.y + RADIUS * share * Math.sin(angle)];
}

const outline = (points: [number, number][]) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

/** Scores from 0 to 100 around a centre; below stands why an axis has none. */
export function Radar({ axes }: { axes: readonly RadarAxis[] }) {
  const absent = axes.filter((axis) => axis.score === null && axis.reason);
  return (
    <>
      <Drawing axes={axes} />
      {absent.length > 0 && (
        <dl className="radar-reasons muted small">
          {absent.map((axis) => (
            <div key={axis.label}>
              <dt>{axis.label}</dt>
              <dd>{axis.reason}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function Drawing({ axes }: { axes: readonly RadarAxis[] }) {
  const known = axes.map((axis, index) => ({ ...axis, index })).filter((axis) => axis.score !== null);
  const words = axes.map((axis) => `${axis.label}: ${axis.shown ?? formatScore(axis.score)}`).join("; ");
  return (
    <svg className="drawing radar" viewBox="0 0 460 280" role="img" aria-label={words}>
      {[0.25, 0.5, 0.75, 1].map((share) => (
        <polygon
          key={share}
          className="grid"
          points={outline(axes.map((_, index) => point(index, axes.length, share)))}
        />
      ))}
      {axes.map((axis, index) => {
        const [x, y] = point(index, axes.length, 1);
        return <line key={axis.label} className="grid" x1={CENTRE.x} y1={CENTRE.y} x2={x} y2={y} />;
      })}
      <polygon
        className="area"
        points={outline(known.map((axis) => point(axis.index, axes.length, axis.score! / 100)))}
      />
      {known.map((axis) => {
        const [x, y] = point(axis.index, axes.length, axis.score! / 100);
        return <circle key={axis.label} className="dot" cx={x} cy={y} r="3" />;
      })}
      {axes.map((axis, index) => {
        const [x, y] = point(index, axes.length, 1.14);
        const anchor = Math.abs(x - CENTRE.x) < 8 ? "middle" : x < CENTRE.x ? "end" : "start";
        return (
          <text
            key={axis.label}
            x={x}
            y={y}
            textAnchor={anchor}
            dominantBaseline="middle"
            className={axis.score === null ? "absent" : ""}
          >
            <tspan dy={y < CENTRE.y - RADIUS ? "-1em" : undefined}>{axis.label}</tspan>
            <tspan className="value" x={x} dy="1.15em">
              {axis.shown ?? formatScore(axis.score)}
            </tspan>
          </text>
        );
      })}
    </svg>
  );
}
