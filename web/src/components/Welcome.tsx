import { type ReactNode, useEffect, useRef, useState } from "react";
import { ask } from "../api/client";
import { useAction } from "../api/use-action";
import { hasEnded, useJob } from "../api/use-job";
import { rich, t } from "../lib/messages";
import { Button } from "./ui/Button";
import { Icon } from "./ui/Icon";
import { Notice } from "./ui/Notice";
import { Progress } from "./ui/Progress";
import "./drop.css";

/** What an empty store offers: a file, the demo, or a live system. */
export function Welcome({ button, onLoaded }: { button: ReactNode; onLoaded: () => void }) {
  return (
    <section className="welcome" aria-labelledby="welcome">
      <div>
        <h2 id="welcome">{t("common.nothingIsScoredYet")}</h2>
        <p className="muted">{t("shared.bringSomeAnswersAndSeeWhich")}</p>
      </div>
      <ul className="ways">
        <li>
          <h3>{rich("shared.dropAFile", { icon: <Icon name="upload" /> })}</h3>
          <p className="muted small">{t("shared.csvExcelJSONLinesJSONOr")}</p>
          {button}
        </li>
        <li>
          <h3>{rich("shared.loadTheDemoTitle", { icon: <Icon name="try" /> })}</h3>
          <p className="muted small">{t("shared.32QuestionsToACityS")}</p>
          <Demo onLoaded={onLoaded} />
        </li>
        <li>
          <h3>{rich("shared.askALiveSystem", { icon: <Icon name="live" /> })}</h3>
          <p className="muted small">{t("shared.assaySendsYourQuestionsToA")}</p>
          <pre className="command" tabIndex={0}>
            <code>assay run questions.jsonl --target http://127.0.0.1:8000/chat --run monday</code>
          </pre>
        </li>
      </ul>
    </section>
  );
}

/** A button that scores the demo, and how far that is. */
function Demo({ onLoaded }: { onLoaded: () => void }) {
  const start = useAction(() => ask("load_demo", {}));
  const [jobs, setJobs] = useState<string[]>([]);
  const first = useJob(jobs[0]);
  const last = useJob(jobs.at(-1));
  const running = [first.job, last.job].filter((job) => job !== undefined);
  const failed = running.find((job) => job.status === "failed" || job.status === "cancelled");
  const isDone = running.length === 2 && running.every((job) => job.status === "done");
  const loaded = useRef(onLoaded);
  loaded.current = onLoaded;
  useEffect(() => {
    if (isDone) loaded.current();
  }, [isDone]);
  const problem = start.problem || failed?.error || first.problem || last.problem;
  return (
    <>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {jobs.length > 0 && !running.every(hasEnded) ? (
        <Progress
          label={t("shared.answersOfTheDemoScored")}
          done={running.reduce((sum, job) => sum + job.done, 0)}
          total={running.reduce((sum, job) => sum + (job.total ?? 0), 0)}
        />
      ) : (
        <Button
          disabled={start.isBusy}
          onClick={async () => {
            const started = await start.run();
            if (started) setJobs(started.map((job) => job.id));
          }}
        >
          {start.isBusy ? t("common.starting") : t("shared.loadTheDemo")}
        </Button>
      )}
    </>
  );
}
