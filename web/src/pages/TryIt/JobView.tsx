import { useEffect, useRef, useState } from "react";
import { ask } from "../../api/client";
import type { JobEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { hasEnded, useJob } from "../../api/use-job";
import { Button } from "../../components/ui/Button";
import { Loading } from "../../components/ui/Loading";
import { Notice } from "../../components/ui/Notice";
import { Progress } from "../../components/ui/Progress";
import { Status } from "../../components/ui/Status";
import { formatCount, formatMoment, labelOf } from "../../lib/format";
import { t, word } from "../../lib/messages";
import { href, pathTo } from "../../lib/url";
import { verdictOf } from "../../lib/verdict";

/** One job as it goes on: its progress, a way to stop it and to go on, and its run. */
export function JobView({ id }: { id: string }) {
  const [turn, setTurn] = useState(0);
  const { job, problem, isLive } = useJob(id, turn);
  const heading = useRef<HTMLHeadingElement>(null);
  const cancel = useAction(() => ask("cancel_job", { job_id: id }));
  const resume = useAction(() => ask("resume_job", { job_id: id }));
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const wrong = cancel.problem || resume.problem || problem;
  return (
    <section className="job" aria-labelledby="job-name">
      <div className="section-head">
        <h2 id="job-name" ref={heading} tabIndex={-1}>
          {job ? <span dir="auto">{job.source}</span> : t("tryIt.theJob")}
        </h2>
        {job && <Status word={job.status} />}
        {job && !hasEnded(job) && (
          <span className="muted tiny">{isLive ? t("tryIt.live") : t("tryIt.refreshedEveryTwoSeconds")}</span>
        )}
      </div>
      {wrong && <Notice tone="bad">{wrong}</Notice>}
      {!job && !wrong && <Loading />}
      {job && (
        <>
          {!hasEnded(job) || job.status === "cancelled" ? (
            <Progress done={job.done} total={job.total} label={t("tryIt.recordsScored")} />
          ) : null}
          <p className="unseen" role="status">
            {hasEnded(job) ? t("tryIt.theJobIsRecordsScored", { status: word(job.status), done: job.done }) : ""}
          </p>
          {job.error && <Notice tone="bad">{job.error}</Notice>}
          {job.status === "done" && job.run && <Verdict run={job.run} />}
          <Facts job={job} />
          <div className="form-actions">
            {job.run && (
              <a
                className={hasEnded(job) ? "button primary" : "button"}
                href={href(pathTo("/runs/:run", { run: job.run }))}
              >
                {t("tryIt.openTheRun")}
              </a>
            )}
            {!hasEnded(job) && (
              <Button disabled={cancel.isBusy} onClick={() => void cancel.run()}>
                {cancel.isBusy ? t("tryIt.cancelling") : t("common.cancel")}
              </Button>
            )}
            {(job.status === "cancelled" || job.status === "failed") && (
              <Button
                disabled={resume.isBusy}
                onClick={async () => {
                  if (await resume.run()) setTurn(turn + 1);
                }}
              >
                {t("tryIt.resume")}
              </Button>
            )}
            <a className="button quiet" href={href("/try", { tab: "file" })}>
              {t("tryIt.scoreAnotherFile")}
            </a>
          </div>
        </>
      )}
    </section>
  );
}

/** What the scored file came to, in one sentence. */
function Verdict({ run }: { run: string }) {
  const { data } = useAnswer("get_run", { name: run });
  if (!data) return null;
  return (
    <p className="verdict" role="status">
      {verdictOf(data)}
    </p>
  );
}

function Facts({ job }: { job: JobEntry }) {
  const facts = [
    [t("common.run"), job.run],
    [
      t("common.records"),
      `${formatCount(job.done)}${job.total === null ? "" : t("common.ofTotal", { total: job.total })}`,
    ],
    [t("common.metrics"), job.metrics.map(labelOf).join(", ")],
    [t("common.profile"), job.profile],
    [t("common.begun"), formatMoment(job.created, true)],
    [t("tryIt.lastChange"), formatMoment(job.updated, true)],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
