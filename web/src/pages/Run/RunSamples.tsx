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
import { t, word } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { ThresholdView } from "./ThresholdView";

const STATES = ["passed", "failed", "unsure", "skipped", "unjudged"];
type Status = Operations["list_tests"]["given"]["status"];

/** A number in the address. */
function numberOf(text: string | undefined): number | undefined {
  const number = Number(text);
  return text && Number.isFinite(number) ? number : undefined;
}

const option = (value: string) => ({ value, label: value || t("run.none") });

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
      <SearchField label={t("common.find")} value={query.text ?? ""} onChange={search} />
      <Select
        label={t("run.worstBy")}
        all={t("common.meanQuality")}
        options={metrics}
        value={query.metric ?? ""}
        onChange={(metric) => choose({ metric, from_value: "", to_value: "" })}
      />
      {!report && Object.keys(run.causes).length > 0 && (
        <Select
          label={t("common.failsBecauseOf")}
          all={t("run.anything")}
          options={Object.keys(run.causes).map((id) => ({ value: id, label: label(id) }))}
          value={query.fails ?? ""}
          onChange={(fails) => choose({ fails })}
        />
      )}
      <Select
        label={t("common.status")}
        all={t("common.any")}
        options={STATES.map((value) => ({ value, label: word(value) }))}
        value={query.status ?? ""}
        onChange={(status) => choose({ status })}
      />
      <Select
        label={t("common.tag")}
        all={t("common.any")}
        options={run.tag_groups.map((group) => option(group.name))}
        value={query.tag ?? ""}
        onChange={(tag) => choose({ tag })}
      />
      <Select
        label={t("common.language")}
        all={t("common.any")}
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
            caption={t("run.samplesOf", { name: run.name })}
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
              <EmptyState title={t("run.noMatchingSamples")}>
                {run.tests ? t("common.clearSomeOfTheFilters") : t("run.theRunHasNotScoredAny")}
              </EmptyState>
            }
          />
        )}
      </Await>
    </>
  );
}
