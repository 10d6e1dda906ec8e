import { useCallback } from "react";
import type { Operations, RunDetail } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useReport } from "../../api/source";
import { useAnswer } from "../../api/use-answer";
import { ReportNote } from "../../components/ReportNote";
import { PAGE_SIZE, TestTable } from "../../components/TestTable";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { SearchField } from "../../components/ui/SearchField";
import { Select } from "../../components/ui/Select";
import { useListKeys } from "../../lib/keys";
import { useQuery } from "../../lib/url";
import { ThresholdView } from "./ThresholdView";

const STATES = ["passed", "failed", "unsure", "skipped", "unjudged"];
type Status = Operations["list_tests"]["given"]["status"];

/** A number in the address. */
function numberOf(text: string | undefined): number | undefined {
  const number = Number(text);
  return text && Number.isFinite(number) ? number : undefined;
}

const option = (value: string) => ({ value, label: value || "(none)" });

/** The samples of a run, the worst first; filtered and paged by the server. */
export function RunSamples({ run }: { run: RunDetail }) {
  const { label } = useRegistry();
  const report = useReport();
  useListKeys();
  const [query, setQuery] = useQuery();
  const choose = useCallback((changes: Record<string, string>) => setQuery({ ...changes, offset: null }), [setQuery]);
  const search = useCallback((text: string) => choose({ text }), [choose]);
  const answer = useAnswer(
    "list_tests",
    {
      run: run.name,
      status: STATES.includes(query.status ?? "") ? (query.status as Status) : null,
      language: query.language,
      tag: query.tag,
      text: query.text,
      metric: query.metric,
      fails: query.fails,
      order: query.order,
      value_from: numberOf(query.from_value),
      value_to: numberOf(query.to_value),
      limit: PAGE_SIZE,
      offset: Number(query.offset) || 0,
    },
    { keeps: true, every: run.status === "running" ? 5000 : 0 },
  );
  const metrics = run.metrics
    .map((id) => ({ value: id, label: `${label(id)} (${id})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const filters = (
    <div className="filters">
      <SearchField label="Find" value={query.text ?? ""} onChange={search} />
      <Select
        label="Worst by"
        all="Overall score"
        options={metrics}
        value={query.metric ?? ""}
        onChange={(metric) => choose({ metric, from_value: "", to_value: "" })}
      />
      {!report && Object.keys(run.causes).length > 0 && (
        <Select
          label="Fails because of"
          all="Anything"
          options={Object.keys(run.causes).map((id) => ({ value: id, label: label(id) }))}
          value={query.fails ?? ""}
          onChange={(fails) => choose({ fails })}
        />
      )}
      <Select
        label="Status"
        all="Any"
        options={STATES.map(option)}
        value={query.status ?? ""}
        onChange={(status) => choose({ status })}
      />
      <Select
        label="Tag"
        all="Any"
        options={run.tag_groups.map((group) => option(group.name))}
        value={query.tag ?? ""}
        onChange={(tag) => choose({ tag })}
      />
      <Select
        label="Language"
        all="Any"
        options={run.language_groups.map((group) => option(group.name))}
        value={query.language ?? ""}
        onChange={(language) => choose({ language })}
      />
    </div>
  );
  return (
    <>
      <ReportNote />
      {query.metric && !report && (
        <ThresholdView
          key={query.metric}
          run={run.name}
          metric={query.metric}
          range={[numberOf(query.from_value), numberOf(query.to_value)]}
          onRange={(from, to) => setQuery({ from_value: from, to_value: to, offset: null })}
        />
      )}
      <Await answer={answer}>
        {(page) => (
          <TestTable
            page={page}
            caption={`Samples of ${run.name}`}
            file={`${run.name}-samples`}
            metric={query.metric}
            list={{
              from: "run",
              by: query.metric,
              filters: {
                run: run.name,
                status: query.status,
                tag: query.tag,
                language: query.language,
                text: query.text,
                fails: query.fails,
                order: query.order,
                from_value: query.from_value,
                to_value: query.to_value,
              },
            }}
            server={report ? undefined : { order: query.order ?? "", onSort: (order) => choose({ order }) }}
            onMove={(offset) => setQuery({ offset: offset || null }, false)}
            tools={filters}
            empty={
              <EmptyState title="No matching samples">
                {run.tests ? "Clear some of the filters." : "The run has not scored any sample yet."}
              </EmptyState>
            }
          />
        )}
      </Await>
    </>
  );
}
