import { POLARITY, useRegistry } from "../api/registry";
import { languageOf } from "../lib/metric-words";
import { href, pathTo } from "../lib/url";
import { Foldable } from "./Foldable";
import { MetricFacts } from "./MetricFacts";
import { Tooltip } from "./ui/Tooltip";

/** A metric's name; what it measures and how far to trust it is one hover away, its page one click. */
export function MetricName({ id, hasId = true }: { id: string; hasId?: boolean }) {
  const { metrics, label } = useRegistry();
  const metric = metrics.get(id);
  return (
    <span className="metric-name">
      <Tooltip isFocusable={false} content={<MetricFacts metric={metric} />}>
        <a href={href(pathTo("/metrics/:id", { id }))} {...languageOf(id)}>
          {label(id)}
        </a>
      </Tooltip>
      {metric && metric.polarity !== "neutral" && (
        <span className="muted" title={POLARITY[metric.polarity].words} aria-hidden="true">
          {" "}
          {POLARITY[metric.polarity].sign}
        </span>
      )}
      {hasId && (
        <span className="id">
          <Foldable text={id} />
        </span>
      )}
    </span>
  );
}
