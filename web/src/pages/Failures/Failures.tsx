import { useCallback } from "react";
import type { FailurePattern } from "../../api/generated/schema";
import { useReport } from "../../api/source";
import { useAnswer } from "../../api/use-answer";
import { ReportNote } from "../../components/ReportNote";
import { useScope } from "../../components/Scope";
import { PAGE_SIZE, TestTable } from "../../components/TestTable";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Loading } from "../../components/ui/Loading";
import { Meter } from "../../components/ui/Meter";
import { SearchField } from "../../components/ui/SearchField";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatShare } from "../../lib/format";
import { IN_ENGLISH, rich, t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";
import { FailureGroups } from "./FailureGroups";
import "./failures.css";

/** What goes wrong, how often, and what may be done about it. */
export function Failures() {
  const scope = useScope();
  const report = useReport();
  const patterns = useAnswer("list_failure_patterns", scope, { keeps: true });
  return (
    <Await answer={patterns}>
      {(found) =>
        found.length === 0 ? (
          <NoFailures />
        ) : (
          <div className="stack">
            {!report && <FailureGroups />}
            <Patterns patterns={found} />
            <FailedTests />
          </div>
        )
      }
    </Await>
  );
}

/** How many tests of the period there are. */
function useCount(status?: "passed" | "failed" | "unsure"): number | undefined {
  return useAnswer("list_tests", { ...useScope(), status, limit: 1 }).data?.total;
}

/** Says whether nothing failed, nothing was judged, or there is nothing at all. */
function NoFailures() {
  const scope = useScope();
  const [passed, failed, unsure, all] = [useCount("passed"), useCount("failed"), useCount("unsure"), useCount()];
  if (passed === undefined || failed === undefined || unsure === undefined || all === undefined) return <Loading />;
  if (all === 0)
    return (
      <EmptyState title={scope.hours || scope.run ? t("common.noTestsInThisPeriod") : t("common.nothingIsScoredYet")}>
        {scope.hours || scope.run
          ? t("common.chooseALongerPeriodOrAnother")
          : rich("failures.failuresAppearHereOnceThereIsA", {
              link: <a href={href("/")}>{t("common.dropAFileOrLoadThe")}</a>,
            })}
      </EmptyState>
    );
  const judged = passed + failed + unsure;
  if (judged === 0)
    return (
      <EmptyState title={t("failures.nothingWasJudged")}>
        {t("failures.noMetricOfTheseRunsDecidesPasses", { all })}
      </EmptyState>
    );
  return (
    <EmptyState title={t("failures.noFailures")}>
      {t("failures.ofJudgedSamplesPassedChooseALonger", {
        passed,
        judged,
        value: unsure > 0 && t("failures.wereUnsure", { unsure }),
        value2: all > judged && t("failures.wereNotJudged", { all: all - judged }),
      })}
    </EmptyState>
  );
}

function Patterns({ patterns }: { patterns: readonly FailurePattern[] }) {
  const total = patterns.reduce((sum, pattern) => sum + pattern.count, 0);
  const columns: Column<FailurePattern>[] = [
    {
      id: "category",
      label: t("failures.category"),
      value: (pattern) => pattern.category,
      cell: (pattern) => (
        <>
          <strong {...IN_ENGLISH}>{pattern.category}</strong>
          <span className="muted block" {...IN_ENGLISH}>
            {pattern.root_cause}
          </span>
        </>
      ),
    },
    {
      id: "count",
      label: t("common.failedTests"),
      value: (pattern) => pattern.count,
      cell: (pattern) => (
        <span className="failure-count">
          <strong className="number">{formatCount(pattern.count)}</strong>
          <span className="muted tiny number">{formatShare(pattern.count / total)}</span>
          <Meter
            value={pattern.count}
            scale={{ unit: "", range: [0, total] }}
            tone="bad"
            label={t("common.failedTests")}
          />
        </span>
      ),
    },
    {
      id: "recommendations",
      label: t("common.whatMayHelp"),
      isWide: true,
      value: (pattern) => pattern.recommendations.join(" "),
      cell: (pattern) => (
        <ul className="advice">
          {pattern.recommendations.map((advice) => (
            <li key={advice} {...IN_ENGLISH}>
              {advice}
            </li>
          ))}
        </ul>
      ),
    },
    { id: "root_cause", label: t("failures.rootCause"), value: (pattern) => pattern.root_cause },
  ];
  return (
    <Table
      caption={t("failures.patternsOfFailure")}
      file="failure-patterns"
      columns={columns}
      rows={patterns}
      rowKey={(pattern) => `${pattern.category}: ${pattern.root_cause}`}
      tools={<h2>{t("failures.patterns")}</h2>}
    />
  );
}

function FailedTests() {
  const scope = useScope();
  const [query, setQuery] = useQuery();
  const search = useCallback((text: string) => setQuery({ text, offset: null }), [setQuery]);
  const answer = useAnswer(
    "list_failed_tests",
    { ...scope, text: query.text, limit: PAGE_SIZE, offset: Number(query.offset) || 0 },
    { keeps: true },
  );
  return (
    <section>
      <div className="section-head">
        <h2>{t("common.failedTests")}</h2>
        <span className="muted small">{scope.run ? t("failures.theWorstFirst") : t("failures.theNewestFirst")}</span>
      </div>
      <ReportNote />
      <Await answer={answer}>
        {(page) => (
          <TestTable
            page={page}
            caption={t("common.failedTests")}
            file="failed-tests"
            hasRun={!scope.run}
            list={{ from: "failures", filters: { run: scope.run, hours: scope.hours?.toString(), text: query.text } }}
            onMove={(offset) => setQuery({ offset: offset || null }, false)}
            tools={
              <div className="filters">
                <SearchField label={t("common.find")} value={query.text ?? ""} onChange={search} />
              </div>
            }
            empty={<EmptyState title={t("failures.noSuchTest")}>{t("failures.tryOtherWords")}</EmptyState>}
          />
        )}
      </Await>
    </section>
  );
}
