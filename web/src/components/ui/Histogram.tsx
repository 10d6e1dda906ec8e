import { formatCount } from "../../lib/format";
import { t } from "../../lib/messages";

/** Samples by quality in equal bins from 0 to 1, worst on the left. */
export function Histogram({ bins }: { bins: readonly number[] }) {
  const most = Math.max(...bins);
  if (bins.length === 0 || most === 0) return null;
  const width = 100 / bins.length;
  const words = bins
    .map((count, index) => (count ? `${binOf(index, bins.length)}: ${formatCount(count)}` : ""))
    .filter(Boolean)
    .join("\n");
  return (
    <svg
      className="histogram"
      viewBox="0 0 100 28"
      preserveAspectRatio="none"
      role="img"
      aria-label={t("shared.samplesByQuality", { value: words.replaceAll("\n", "; ") })}
    >
      <title>{t("shared.samplesByQuality0Worst1Best", { words })}</title>
      {bins.map((count, index) => {
        const height = count ? Math.max(1.5, (26 * count) / most) : 0;
        return <rect key={index} x={index * width + 0.6} width={width - 1.2} y={27 - height} height={height} />;
      })}
      <line x1="0" x2="100" y1="27.5" y2="27.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** The two ends of a bin, with as many digits as tell them apart. */
export function binOf(index: number, count: number): string {
  const digits = count > 10 ? 2 : 1;
  return [index, index + 1].map((end) => (end / count).toFixed(digits)).join("–");
}
