import type { CSSProperties } from "react";
import { formatCount } from "../lib/format";
import { t } from "../lib/messages";
import { href, pathTo } from "../lib/url";
import "./cause-bars.css";

interface CauseBarsProps {
  run: string;
  /** Metric that decides → samples that it fails, the commonest first. */
  causes: Readonly<Record<string, number>>;
  /** Samples that fail; one may fail for several reasons. */
  total: number;
  label: (metric: string) => string;
}

/** Which metrics fail samples; each bar leads to them. */
export function CauseBars({ run, causes, total, label }: CauseBarsProps) {
  const entries = Object.entries(causes);
  if (entries.length === 0) return null;
  return (
    <div className="causes">
      <h3>{t("common.failsBecauseOf")}</h3>
      <ul>
        {entries.map(([metric, count]) => (
          <li key={metric}>
            <a href={href(pathTo("/runs/:run", { run }), { tab: "samples", status: "failed", fails: metric })}>
              {label(metric)}
            </a>
            <span
              className="cause-bar"
              style={{ "--at": `${(100 * count) / Math.max(total, count)}%` } as CSSProperties}
            />
            <span className="number small">
              {formatCount(count)}
              <span className="unseen"> {t("shared.samples")}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
