import { type ReactNode, useEffect, useRef, useState } from "react";
import { ask } from "../api/client";
import { useAction } from "../api/use-action";
import { hasEnded, useJob } from "../api/use-job";
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
        <h2 id="welcome">Nothing is scored yet</h2>
        <p className="muted">Bring some answers, and see which are good, which are not, and why.</p>
      </div>
      <ul className="ways">
        <li>
          <h3>
            <Icon name="upload" />
            Drop a file
          </h3>
          <p className="muted small">
            CSV, Excel, JSON Lines, JSON or Parquet with questions and answers, anywhere on this page. You see how its
            columns are read before anything is scored.
          </p>
          {button}
        </li>
        <li>
          <h3>
            <Icon name="try" />
            Load the demo
          </h3>
          <p className="muted small">
            32 questions to a city's help desk, answered by two versions of one system: two real runs to look at and to
            compare.
          </p>
          <Demo onLoaded={onLoaded} />
        </li>
        <li>
          <h3>
            <Icon name="live" />
            Ask a live system
          </h3>
          <p className="muted small">
            Assay sends your questions to a chat endpoint, an HTTP service or a command and scores what comes back. Run
            this in a terminal; the run appears here while it goes on:
          </p>
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
          label="Answers of the demo scored"
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
          {start.isBusy ? "Starting…" : "Load the demo"}
        </Button>
      )}
    </>
  );
}
