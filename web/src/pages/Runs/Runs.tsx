import type { DatasetEntry, RunEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { PageDrop } from "../../components/PageDrop";
import { PageHead } from "../../components/PageHead";
import { RunLink } from "../../components/RunLink";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { EmptyState } from "../../components/ui/EmptyState";
import { Meter } from "../../components/ui/Meter";
import { Paging } from "../../components/ui/Paging";
import { Progress } from "../../components/ui/Progress";
import { Status } from "../../components/ui/Status";
import { type Column, Table } from "../../components/ui/Table";
import { Welcome } from "../../components/Welcome";
import { formatCount, formatMoment, formatScore, formatShare } from "../../lib/format";
import { t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";
import { RunFilters } from "./RunFilters";
import "./runs.css";

const LIMIT = 100;
/** The tag of runs that hold answers which were judged live, as the server gives it. */
const LIVE = "live-governance";
/** The part of the address that holds the chosen runs, each encoded. */
const PICKED = "pick";
const SCORE = { unit: "", range: [0, 1] as const };

/** The runs that are chosen, and a way to choose another. */
function usePicked(): [readonly string[], (run: string) => void, () => void] {
  const [query, setQuery] = useQuery();
  const picked = (query[PICKED] ?? "").split(",").filter(Boolean).map(decodeURIComponent);
  const keep = (names: readonly string[]) => setQuery({ [PICKED]: names.map(encodeURIComponent).join(",") });
  return [
    picked,
    (run) => keep(picked.includes(run) ? picked.filter((name) => name !== run) : [...picked, run]),
    () => keep([]),
  ];
}

/** A box to choose a run with. */
function Pick({ run }: { run: string }) {
  const [picked, turn] = usePicked();
  return (
    <input
      type="checkbox"
      aria-label={t("runs.choose", { run })}
      checked={picked.includes(run)}
      onChange={() => turn(run)}
    />
  );
}

const COLUMNS: readonly Column<RunEntry>[] = [
  {
    id: "name",
    label: t("common.run"),
    value: (run) => run.name,
    cell: (run) => (
      <span className="run-name">
        <Pick run={run.name} />
        <span>
          <RunLink name={run.name} /> {run.is_baseline && <Badge tone="accent">{t("common.baseline")}</Badge>}
          {run.source && (
            <span className="id block" dir="auto">
              {run.source}
            </span>
          )}
          {run.note && (
            <span className="small block" dir="auto">
              {run.note}
            </span>
          )}
        </span>
      </span>
    ),
  },
  { id: "note", label: t("common.note"), value: (run) => run.note },
  {
    id: "status",
    label: t("common.state"),
    value: (run) => run.status,
    cell: (run) =>
      run.status === "running" ? (
        <Progress done={run.tests} total={run.total} label={t("runs.progressOf", { name: run.name })} />
      ) : (
        <Status word={run.status} />
      ),
  },
  {
    id: "tests",
    label: t("common.samples"),
    isNumber: true,
    value: (run) => run.tests,
    cell: (run) => formatCount(run.tests),
  },
  {
    id: "metrics",
    label: t("common.metrics"),
    isNumber: true,
    value: (run) => run.metrics.length,
    cell: (run) => formatCount(run.metrics.length),
  },
  {
    id: "pass_rate",
    label: t("common.passRate"),
    isNumber: true,
    help: t("runs.passedOfJudgedSamplesThoseThat"),
    value: (run) => run.pass_rate,
    cell: (run) => formatShare(run.pass_rate),
  },
  {
    id: "overall",
    label: t("common.meanQuality"),
    help: t("common.meanQualityNote"),
    value: (run) => run.overall,
    cell: (run) => (
      <span className="score-cell">
        <span className="number">{formatScore(run.overall === null ? null : 100 * run.overall)}</span>
        {run.overall !== null && <Meter value={run.overall} scale={SCORE} label={t("common.meanQuality")} />}
      </span>
    ),
  },
  {
    id: "tags",
    label: t("common.tags"),
    value: (run) => run.tags.join(" "),
    cell: (run) => (
      <span className="badges">
        {run.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    ),
  },
  {
    id: "created",
    label: t("common.begun"),
    value: (run) => run.created,
    cell: (run) => <span className="number">{formatMoment(run.created)}</span>,
  },
];

/** Every kept run by dataset, with the progress of those that are under way. */
export function Runs() {
  const [query, setQuery] = useQuery();
  const offset = Number(query.offset) || 0;
  const first = useAnswer(
    "list_runs",
    { limit: LIMIT, offset },
    { keeps: true, every: (page) => (page?.items.some((run) => run.status === "running") ? 2000 : 20_000) },
  );
  const datasets = useAnswer("list_datasets", {});
  return (
    <PageDrop>
      {(button) => (
        <>
          <PageHead title={t("page.runs")}>
            <span className="actions push">{button}</span>
          </PageHead>
          <Await answer={first}>
            {(page) => {
              if (page.total === 0) return <Welcome button={button} onLoaded={first.reload} />;
              const live = page.items.filter((run) => run.tags.includes(LIVE));
              const shown = page.items.filter((run) => fits(run, query) && !live.includes(run));
              const groups = groupsOf(shown, datasets.data ?? []);
              return (
                <>
                  <RunFilters runs={page.items} />
                  {shown.length === 0 && live.length < page.items.length && (
                    <EmptyState title={t("runs.noMatchingRun")}>{t("common.clearSomeOfTheFilters")}</EmptyState>
                  )}
                  <div className="stack run-groups">
                    {groups.map(({ title, runs }) => (
                      <Table
                        key={title}
                        caption={title || t("common.runsTitle")}
                        file="runs"
                        columns={columnsFor(page.items)}
                        rows={runs}
                        rowKey={(run) => run.name}
                        sortName="sort"
                        hideName="hide"
                        tools={
                          <h2 dir="auto">
                            {title} <span className="muted small">{formatCount(runs.length)}</span>
                          </h2>
                        }
                      />
                    ))}
                  </div>
                  {live.length > 0 && (
                    <details className="live-runs">
                      <summary>{t("runs.liveChecks", { count: live.length })}</summary>
                      <ul>
                        {live.map((run) => (
                          <li key={run.name}>
                            <RunLink name={run.name} />{" "}
                            <span className="muted small">{t("runs.answers", { tests: run.tests })}</span>
                          </li>
                        ))}
                      </ul>
                      <p className="small">
                        <a href={href("/governance", { tab: "sessions" })}>
                          {t("runs.theJudgedAnswersSessionBySession")}
                        </a>
                      </p>
                    </details>
                  )}
                  {page.total > LIMIT && (
                    <Paging
                      total={page.total}
                      limit={LIMIT}
                      offset={offset}
                      onMove={(next) => setQuery({ offset: next || null }, false)}
                    />
                  )}
                  <ChosenBar runs={page.items} />
                </>
              );
            }}
          </Await>
        </>
      )}
    </PageDrop>
  );
}

/** What can be done with the runs that are chosen. */
function ChosenBar({ runs }: { runs: readonly RunEntry[] }) {
  const [picked, , clear] = usePicked();
  if (picked.length === 0) return null;
  const age = (name: string) => runs.find((run) => run.name === name)?.created ?? "";
  const [a, b] = picked.toSorted((x, y) => age(x).localeCompare(age(y)));
  return (
    <div className="chosen-bar" role="group" aria-label={t("runs.theChosenRuns")}>
      <strong>{t("runs.chosen", { picked: picked.length })}</strong>
      <span className="muted small" dir="auto">
        {picked.join(", ")}
      </span>
      <span className="actions push">
        {picked.length === 2 ? (
          <a className="button primary" href={href("/compare", { a, b })}>
            {t("common.compare")}
          </a>
        ) : (
          picked.length === 1 && <span className="muted small">{t("runs.chooseAnotherRunToCompareIt")}</span>
        )}
        {picked.length > 1 && (
          <a className="button" href={href("/matrix", { runs: picked.map(encodeURIComponent).join(",") })}>
            {t("common.matrix")}
          </a>
        )}
        <Button kind="quiet" onClick={clear}>
          {t("runs.clear")}
        </Button>
      </span>
    </div>
  );
}

interface RunGroup {
  title: string;
  runs: RunEntry[];
}

/** Runs over the same questions together; what belongs to no dataset yet stands last. */
function groupsOf(runs: readonly RunEntry[], datasets: readonly DatasetEntry[]): RunGroup[] {
  const titles = new Map(datasets.flatMap((one) => one.runs.map((run) => [run.name, one] as const)));
  const groups = datasets
    .map((one) => ({ title: one.name, runs: runs.filter((run) => titles.get(run.name) === one) }))
    .filter((group) => group.runs.length > 0);
  const others = runs.filter((run) => !titles.has(run.name));
  return others.length ? [...groups, { title: t("runs.runningOrWithoutSamples"), runs: others }] : groups;
}

function columnsFor(runs: readonly RunEntry[]): readonly Column<RunEntry>[] {
  return runs.some((run) => run.tags.length) ? COLUMNS : COLUMNS.filter((column) => column.id !== "tags");
}

function fits(run: RunEntry, query: Readonly<Record<string, string>>): boolean {
  const words = (query.text ?? "").toLowerCase();
  return (
    (!query.status || run.status === query.status) &&
    (!query.tag || run.tags.includes(query.tag)) &&
    (!words || `${run.name} ${run.source} ${run.note} ${run.tags.join(" ")}`.toLowerCase().includes(words))
  );
}
