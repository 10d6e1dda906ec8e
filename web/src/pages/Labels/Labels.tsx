import type { RunEntry, RunMetric } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Select } from "../../components/ui/Select";
import { Tabs } from "../../components/ui/Tabs";
import { rich, t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";
import { Calibration } from "./Calibration";
import { Queue } from "./Queue";
import { Raters } from "./Raters";
import "./labels.css";

/** People's verdicts on samples, and the thresholds that follow from them. */
export function Labels() {
  const runs = useAnswer("list_runs", { limit: 100 });
  return (
    <>
      <PageHead title={t("page.labels")} note={t("labels.sayWhichAnswersAreGoodAnd")} />
      <Await answer={runs}>
        {({ items }) => {
          const ready = items.filter((run) => run.status === "finished" && run.tests > 0);
          return ready.length === 0 ? (
            <EmptyState title={t("common.nothingIsScoredYet")}>
              {rich("labels.samplesOfARunCanBeLabelled", {
                link: <a href={href("/")}>{t("common.dropAFileOrLoadThe")}</a>,
              })}
            </EmptyState>
          ) : (
            <Board runs={ready} />
          );
        }}
      </Await>
    </>
  );
}

function Board({ runs }: { runs: readonly RunEntry[] }) {
  const [{ run: named }] = useQuery();
  const run = runs.find((one) => one.name === named) ?? runs[0]!;
  const figures = useAnswer("list_run_metrics", { name: run.name });
  return <Await answer={figures}>{(shown) => <RunLabels runs={runs} run={run} figures={shown} />}</Await>;
}

/** The labels of a run against one of its metrics that have scores; one that decides passes comes first. */
function RunLabels({
  runs,
  run,
  figures,
}: {
  runs: readonly RunEntry[];
  run: RunEntry;
  figures: readonly RunMetric[];
}) {
  const { label, metrics } = useRegistry();
  const [query, setQuery] = useQuery();
  const scored = figures.filter((one) => one.scored > 0 && metrics.get(one.metric)?.polarity !== "neutral");
  const choices = scored.map((one) => one.metric);
  const first = scored.find((one) => one.gates) ?? scored[0];
  const metric = choices.includes(query.metric ?? "") ? query.metric! : first?.metric;
  const tab = query.tab ?? "queue";
  if (!metric)
    return <EmptyState title={t("labels.noMetricToCalibrate")}>{t("labels.theRunHasNoMetricWith")}</EmptyState>;
  return (
    <>
      <div className="filters labels-filters">
        <Select
          label={t("common.run")}
          options={runs.map((one) => ({ value: one.name, label: one.name }))}
          value={run.name}
          onChange={(name) => setQuery({ run: name, metric: null })}
        />
        <Select
          label={t("common.metric")}
          options={choices.map((id) => ({ value: id, label: `${label(id)} (${id})` }))}
          value={metric}
          onChange={(id) => setQuery({ metric: id })}
        />
      </div>
      <Tabs
        label={t("labels.labels")}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "queue" ? null : next }, false)}
        tabs={[
          { id: "queue", label: t("labels.label") },
          { id: "calibration", label: t("labels.calibration") },
          { id: "raters", label: t("labels.raters") },
        ]}
      >
        {tab === "calibration" ? (
          <Calibration key={`${run.name} ${metric}`} run={run.name} metric={metric} />
        ) : tab === "raters" ? (
          <Raters run={run.name} />
        ) : (
          <Queue key={`${run.name} ${metric}`} run={run.name} metric={metric} />
        )}
      </Tabs>
    </>
  );
}
