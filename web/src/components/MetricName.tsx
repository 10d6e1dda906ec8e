import type { ReactNode } from "react";
import { POLARITY, useRegistry } from "../api/registry";
import { formatLimit } from "../lib/format";
import { href, pathTo } from "../lib/url";
import { Tooltip } from "./ui/Tooltip";

/** A metric's name; what it measures is one hover away, its page one click. */
export function MetricName({ id, hasId = true }: { id: string; hasId?: boolean }) {
  const { metrics, label } = useRegistry();
  const metric = metrics.get(id);
  return (
    <span className="metric-name">
      <Tooltip
        isFocusable={false}
        content={
          metric ? (
            <>
              <strong>{metric.summary}</strong>
              <span>
                {POLARITY[metric.polarity].words}
                {metric.threshold !== null && `; threshold ${formatLimit(metric.threshold, metric.polarity, metric)}`}
              </span>
              {metric.inputs.length > 0 && <span>Needs {metric.inputs.join(", ")}.</span>}
            </>
          ) : (
            "This metric is not installed here."
          )
        }
      >
        <a href={href(pathTo("/metrics/:id", { id }))}>{label(id)}</a>
      </Tooltip>
      {metric && metric.polarity !== "neutral" && (
        <span className="muted" title={POLARITY[metric.polarity].words} aria-hidden="true">
          {" "}
          {POLARITY[metric.polarity].sign}
        </span>
      )}
      {hasId && <span className="id">{foldable(id)}</span>}
    </span>
  );
}

/** An id that may be folded behind its dots and underscores. */
function foldable(id: string): ReactNode[] {
  return id.split(/(?<=[._])/).flatMap((part, index) => (index ? [<wbr key={index} />, part] : [part]));
}
