import type { Standing } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { PageDrop } from "../../components/PageDrop";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { Select } from "../../components/ui/Select";
import { Welcome } from "../../components/Welcome";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { Changes } from "./Changes";
import { Headline } from "./Headline";
import { RunTrend } from "./RunTrend";
import { ScoredMetrics } from "./ScoredMetrics";
import { ToLookAt } from "./ToLookAt";
import "./overview.css";

/** How the system does now, against last time. */
export function Overview() {
  const [query, setQuery] = useQuery();
  useRegistry(); // asked for at once, so that the first view is one round of requests
  const answer = useAnswer("get_standing", { dataset: query.dataset }, { every: 30_000, keeps: true });
  const datasets = answer.data?.datasets ?? [];
  return (
    <PageDrop>
      {(button) => (
        <>
          <PageHead title={t("page.overview")}>
            {datasets.length > 1 && (
              <Select
                label={t("overview.dataset")}
                options={datasets.map((one) => ({ value: one.id, label: one.name }))}
                value={answer.data?.dataset ?? ""}
                onChange={(dataset) => setQuery({ dataset }, false)}
              />
            )}
            {datasets.length > 0 && <span className="actions push">{button}</span>}
          </PageHead>
          <Await answer={answer}>
            {(standing) =>
              standing.run ? <Board standing={standing} /> : <Welcome button={button} onLoaded={answer.reload} />
            }
          </Await>
        </>
      )}
    </PageDrop>
  );
}

function Board({ standing }: { standing: Standing }) {
  const dataset = standing.datasets.find((one) => one.id === standing.dataset);
  return (
    <div className="stack">
      <Headline standing={standing} />
      {standing.comparison && <Changes comparison={standing.comparison} />}
      <div className="columns overview-columns">
        <ToLookAt standing={standing} />
        {dataset && dataset.runs.length > 1 && <RunTrend dataset={dataset} />}
      </div>
      <ScoredMetrics standing={standing} />
    </div>
  );
}
