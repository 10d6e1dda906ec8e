import type { JobEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { hasEnded } from "../../api/use-job";
import { RunLink } from "../../components/RunLink";
import { Await } from "../../components/ui/Await";
import { Progress } from "../../components/ui/Progress";
import { Status } from "../../components/ui/Status";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatMoment } from "../../lib/format";
import { t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";

const LIMIT = 20;

const COLUMNS: readonly Column<JobEntry>[] = [
  {
    id: "source",
    label: t("tryIt.file"),
    value: (job) => job.source,
    cell: (job) => (
      <a href={href("/try", { tab: "file", job: job.id })} dir="auto">
        {job.source}
      </a>
    ),
  },
  {
    id: "status",
    label: t("common.state"),
    value: (job) => job.status,
    cell: (job) =>
      hasEnded(job) ? (
        <Status word={job.status} />
      ) : (
        <Progress done={job.done} total={job.total} label={t("tryIt.progressOf", { source: job.source })} />
      ),
  },
  {
    id: "done",
    label: t("common.records"),
    isNumber: true,
    value: (job) => job.done,
    cell: (job) => formatCount(job.done),
  },
  { id: "run", label: t("common.run"), value: (job) => job.run, cell: (job) => job.run && <RunLink name={job.run} /> },
  {
    id: "created",
    label: t("common.begun"),
    value: (job) => job.created,
    cell: (job) => <span className="number">{formatMoment(job.created)}</span>,
  },
];

/** What was scored before, the newest first. */
export function JobList({ chosen }: { chosen?: string }) {
  const [query, setQuery] = useQuery();
  const offset = Number(query.jobs) || 0;
  const jobs = useAnswer("list_jobs", { limit: LIMIT, offset }, { every: 5000, keeps: true });
  return (
    <Await answer={jobs}>
      {(page) =>
        page.total > (chosen ? 1 : 0) && (
          <section aria-labelledby="jobs">
            <div className="section-head">
              <h2 id="jobs">{t("tryIt.jobs")}</h2>
              <span className="muted small">{t("tryIt.theNewestFirst", { total: page.total })}</span>
            </div>
            <Table
              caption={t("tryIt.jobs")}
              file="jobs"
              columns={COLUMNS}
              rows={page.items}
              rowKey={(job) => job.id}
              paging={{ total: page.total, limit: LIMIT, offset, onMove: (next) => setQuery({ jobs: next || null }) }}
            />
          </section>
        )
      }
    </Await>
  );
}
