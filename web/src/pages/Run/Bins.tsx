import { type PointerEvent, useState } from "react";
import { formatValue, type Scale } from "../../lib/format";
import { t } from "../../lib/messages";
import { type Bin, brushedBins } from "../../lib/threshold";

interface BinsProps {
  bins: readonly Bin[];
  /** Where a value is drawn. */
  x: (value: number) => number;
  top: number;
  bottom: number;
  /** Where a pointer is, from 0 at the low end to 1 at the high one. */
  shareAt: (event: PointerEvent) => number;
  scale: Scale;
  onRange: (from: number, to: number) => void;
}

/** What can be clicked or dragged over in a histogram; it lies on the bars. */
export function Bins({ bins, x, top, bottom, shareAt, scale, onRange }: BinsProps) {
  const [brush, setBrush] = useState<readonly [number, number] | null>(null);
  const placeOf = (event: PointerEvent) =>
    Math.min(bins.length - 1, Math.max(0, Math.floor(shareAt(event) * bins.length)));
  const chosen = brush && brushedBins(bins, brush);
  const box = (first: Bin, last: Bin) => ({
    x: x(first.from),
    width: x(last.to) - x(first.from),
    y: top,
    height: bottom - top,
  });
  return (
    <g
      className="bins"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setBrush([placeOf(event), placeOf(event)]);
      }}
      onPointerMove={(event) => brush && setBrush([brush[0], placeOf(event)])}
      onPointerUp={() => {
        if (chosen?.some((bin) => bin.count > 0)) onRange(chosen[0]!.from, chosen.at(-1)!.to);
        setBrush(null);
      }}
      onPointerCancel={() => setBrush(null)}
    >
      <rect {...box(bins[0]!, bins.at(-1)!)} />
      {bins.map((bin) => {
        const words = t("run.rangeCount", {
          from: formatValue(bin.from, scale),
          to: formatValue(bin.to, scale),
          count: bin.count,
        });
        return bin.count === 0 ? null : (
          <rect
            key={bin.from}
            className="bin-target"
            role="button"
            tabIndex={0}
            aria-label={t("run.showTheSamplesFrom", { words })}
            {...box(bin, bin)}
            onClick={() => onRange(bin.from, bin.to)}
            onKeyDown={(event) => event.key === "Enter" && onRange(bin.from, bin.to)}
          >
            <title>{words}</title>
          </rect>
        );
      })}
      {chosen && <rect className="brush" {...box(chosen[0]!, chosen.at(-1)!)} />}
    </g>
  );
}
