import type { RunDetail } from "../../api/generated/schema";
import { formatCount } from "../../lib/format";

/** What decided the scores, and what could not be read. */
export function RunAbout({ run }: { run: RunDetail }) {
  return (
    <div className="stack">
      {Object.keys(run.settings).length > 0 && (
        <section>
          <h2>What decided the scores</h2>
          <p className="muted small">Two runs may be compared where these and the metrics’ signatures are equal.</p>
          <pre className="raw" tabIndex={0}>
            <code>{JSON.stringify(run.settings, null, 2)}</code>
          </pre>
        </section>
      )}
      {run.problems.length > 0 && (
        <section>
          <h2>{formatCount(run.unread)} records could not be read</h2>
          <ul className="problems">
            {run.problems.map((problem) => (
              <li key={problem} dir="auto">
                {problem}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
