import type { Standing } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { CauseBars } from "../../components/CauseBars";
import { formatCount } from "../../lib/format";
import { href, pathTo } from "../../lib/url";

/** Why samples fail, and the worst of them. */
export function ToLookAt({ standing }: { standing: Standing }) {
  const { run, worst, causes } = standing;
  const { label } = useRegistry();
  if (!run) return null;
  const list = href(pathTo("/runs/:run", { run: run.name }), { tab: "samples", status: "failed" });
  return (
    <section aria-labelledby="look">
      <div className="section-head">
        <h2 id="look">To look at</h2>
        {run.failed > 0 && (
          <a className="small" href={list}>
            all {formatCount(run.failed)} that fail
          </a>
        )}
      </div>
      {worst.length === 0 ? (
        <p className="muted">
          {run.judged === 0 ? "No metric of this run decides passes, so nothing was judged." : "No sample fails."}
        </p>
      ) : (
        <>
          <CauseBars run={run.name} causes={causes} total={run.failed} label={label} />
          <ul className="worst">
            {worst.map((test, at) => (
              <li key={test.test_id}>
                <a
                  href={href(pathTo("/tests/:id", { id: test.test_id }), {
                    from: "run",
                    run: run.name,
                    status: "failed",
                    at,
                  })}
                  dir="auto"
                >
                  {test.test_name || test.test_id}
                </a>
                <span className="excerpt muted" dir="auto">
                  {test.query}
                </span>
                <span className="excerpt" dir="auto">
                  {test.response}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
