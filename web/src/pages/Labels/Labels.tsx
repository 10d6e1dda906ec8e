import type { RunEntry } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Select } from "../../components/ui/Select";
import { Tabs } from "../../components/ui/Tabs";
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
      <PageHead
        title="Labels"
        note="Say which answers are good, and let your verdicts set the threshold of a metric."
      />
      <Await answer={runs}>
        {({ items }) => {
          const ready = items.filter((run) => run.status === "finished" && run.tests > 0);
          return ready.length === 0 ? (
            <EmptyState title="Nothing is scored yet">
              Samples of a run can be labelled: <a href={href("/")}>drop a file or load the demo</a> first.
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
  const { label, metrics } = useRegistry();
  const [query, setQuery] = useQuery();
  const run = runs.find((one) => one.name === query.run) ?? runs[0]!;
  const choices = run.metrics.filter((id) => metrics.get(id)?.polarity !== "neutral");
  const gating = choices.filter((id) => metrics.get(id)?.gates);
  const metric = choices.includes(query.metric ?? "") ? query.metric! : (gating[0] ?? choices[0]);
  const tab = query.tab ?? "queue";
  if (!metric) return <EmptyState title="No metric to calibrate">The run has no metric with a better end.</EmptyState>;
  return (
    <>
      <div className="filters labels-filters">
        <Select
          label="Run"
          options={runs.map((one) => ({ value: one.name, label: one.name }))}
          value={run.name}
          onChange={(name) => setQuery({ run: name, metric: null })}
        />
        <Select
          label="Metric"
          options={choices.map((id) => ({ value: id, label: `${label(id)} (${id})` }))}
          value={metric}
          onChange={(id) => setQuery({ metric: id })}
        />
      </div>
      <Tabs
        label="Labels"
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "queue" ? null : next }, false)}
        tabs={[
          { id: "queue", label: "Label" },
          { id: "calibration", label: "Calibration" },
          { id: "raters", label: "Raters" },
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
