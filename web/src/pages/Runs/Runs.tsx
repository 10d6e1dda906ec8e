import type { RunEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { PageDrop } from "../../components/PageDrop";
import { PageHead } from "../../components/PageHead";
import { RunLink } from "../../components/RunLink";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { Meter } from "../../components/ui/Meter";
import { Progress } from "../../components/ui/Progress";
import { Status } from "../../components/ui/Status";
import { type Column, Table } from "../../components/ui/Table";
import { Welcome } from "../../components/Welcome";
import { formatCount, formatMoment, formatScore, formatShare } from "../../lib/format";
import { href, useQuery } from "../../lib/url";
import { RunFilters } from "./RunFilters";

const LIMIT = 100;
const SCORE = { unit: "", range: [0, 1] as const };

const COLUMNS: readonly Column<RunEntry>[] = [
  {
    id: "name",
    label: "Run",
    value: (run) => run.name,
    cell: (run) => (
      <>
        <RunLink name={run.name} />
        {run.source && (
          <span className="id block" dir="auto">
            {run.source}
          </span>
        )}
      </>
    ),
  },
  {
    id: "status",
    label: "State",
    value: (run) => run.status,
    cell: (run) =>
      run.status === "running" ? (
        <Progress done={run.tests} total={run.total} label={`Progress of ${run.name}`} />
      ) : (
        <Status word={run.status} />
      ),
  },
  { id: "tests", label: "Samples", isNumber: true, value: (run) => run.tests, cell: (run) => formatCount(run.tests) },
  {
    id: "metrics",
    label: "Metrics",
    isNumber: true,
    value: (run) => run.metrics.length,
    cell: (run) => formatCount(run.metrics.length),
  },
  {
    id: "overall",
    label: "Overall",
    help: "Mean quality of all scored metrics, 0 to 100",
    value: (run) => run.overall,
    cell: (run) => (
      <span className="score-cell">
        <span className="number">{formatScore(run.overall === null ? null : 100 * run.overall)}</span>
        {run.overall !== null && <Meter value={run.overall} scale={SCORE} label="Overall" />}
      </span>
    ),
  },
  {
    id: "pass_rate",
    label: "Pass rate",
    isNumber: true,
    help: "Passed of judged samples: those that passed, failed, were unsure or were skipped, by the metrics that gate",
    value: (run) => run.pass_rate,
    cell: (run) => formatShare(run.pass_rate),
  },
  {
    id: "tags",
    label: "Tags",
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
    label: "Begun",
    value: (run) => run.created,
    cell: (run) => <span className="number">{formatMoment(run.created)}</span>,
  },
];

/** Every kept run, with the progress of those that are under way. */
export function Runs() {
  const [query, setQuery] = useQuery();
  const offset = Number(query.offset) || 0;
  const first = useAnswer(
    "list_runs",
    { limit: LIMIT, offset },
    { keeps: true, every: (page) => (page?.items.some((run) => run.status === "running") ? 2000 : 20_000) },
  );
  return (
    <PageDrop>
      {(button) => (
        <>
          <PageHead title="Runs">
            <span className="actions push">
              {button}
              <a className="button" href={href("/compare")}>
                Compare two
              </a>
            </span>
          </PageHead>
          <Await answer={first}>
            {(page) => {
              if (page.total === 0) return <Welcome button={button} onLoaded={first.reload} />;
              const shown = page.items.filter((run) => fits(run, query));
              return (
                <Table
                  caption="Runs"
                  file="runs"
                  columns={
                    page.items.some((run) => run.tags.length)
                      ? COLUMNS
                      : COLUMNS.filter((column) => column.id !== "tags")
                  }
                  rows={shown}
                  rowKey={(run) => run.name}
                  sortName="sort"
                  tools={<RunFilters runs={page.items} />}
                  paging={{
                    total: page.total,
                    limit: LIMIT,
                    offset,
                    onMove: (next) => setQuery({ offset: next || null }, false),
                  }}
                />
              );
            }}
          </Await>
        </>
      )}
    </PageDrop>
  );
}

function fits(run: RunEntry, query: Readonly<Record<string, string>>): boolean {
  const words = (query.text ?? "").toLowerCase();
  return (
    (!query.status || run.status === query.status) &&
    (!query.tag || run.tags.includes(query.tag)) &&
    (!words || `${run.name} ${run.source} ${run.tags.join(" ")}`.toLowerCase().includes(words))
  );
}
