import type { Standing } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { CauseBars } from "../../components/CauseBars";
import { TestExcerpt } from "../../components/TestExcerpt";
import { t } from "../../lib/messages";
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
        <h2 id="look">{t("common.toLookAt")}</h2>
        {run.failed > 0 && (
          <a className="small" href={list}>
            {t("overview.allThatFail", { failed: run.failed })}
          </a>
        )}
      </div>
      {worst.length === 0 ? (
        <p className="muted">
          {run.judged === 0 ? t("overview.noMetricOfThisRunDecides") : t("overview.noSampleFails")}
        </p>
      ) : (
        <>
          <CauseBars run={run.name} causes={causes} total={run.failed} label={label} />
          <ul className="worst">
            {worst.map((test, at) => (
              <li key={test.test_id}>
                <TestExcerpt test={test} list={{ from: "run", run: run.name, status: "failed", at }} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
