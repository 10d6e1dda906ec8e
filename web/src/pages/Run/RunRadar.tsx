import type { RunMetric } from "../../api/generated/schema";
import { qualityOf, type Registry } from "../../api/registry";
import { Chart } from "../../components/ui/Chart";
import { Radar } from "../../components/ui/Radar";
import { t } from "../../lib/messages";

/** The group of metrics that are each a whole dimension. */
const DIMENSIONS = "dim";
const FEWEST = 3;

/** The dimensions of a run, where it has them: what a card shows of one answer, over all of them. */
export function RunRadar({
  run,
  metrics,
  registry,
}: {
  run: string;
  metrics: readonly RunMetric[];
  registry: Registry;
}) {
  const axes = metrics
    .map((entry) => ({ entry, metric: registry.metrics.get(entry.metric) }))
    .filter(({ metric }) => metric?.group === DIMENSIONS)
    .map(({ entry, metric }) => {
      const quality = qualityOf(metric, entry.mean);
      return { label: registry.label(entry.metric), score: quality === null ? null : 100 * quality };
    });
  if (axes.filter(({ score }) => score !== null).length < FEWEST) return null;
  return (
    <Chart title={t("common.dimensions")} note={t("run.meansFrom0To100Higher")} file={`${run}-dimensions`}>
      <Radar axes={axes} />
    </Chart>
  );
}
