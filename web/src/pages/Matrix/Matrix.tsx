import { useAnswer } from "../../api/use-answer";
import { MatrixTable } from "../../components/MatrixTable";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Checkbox } from "../../components/ui/Field";
import { rich, t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";

/** What the server takes. */
const MOST = 64;
const FIRST = 3;

/** The questions of a dataset against its runs: which answers were lost, and which gained. */
export function Matrix() {
  const datasets = useAnswer("list_datasets", {});
  const [query, setQuery] = useQuery();
  const asked = (query.runs ?? "").split(",").filter(Boolean).map(decodeURIComponent);
  return (
    <>
      <PageHead title={t("page.matrix")} note={t("matrix.howEveryRunDidOnEvery")} />
      <Await answer={datasets}>
        {(listed) => {
          const dataset =
            listed.find((one) => one.runs.some((run) => asked.includes(run.name))) ??
            listed.find((one) => one.runs.length > 1);
          if (!dataset || dataset.runs.length < 2)
            return (
              <EmptyState title={t("matrix.twoRunsOfTheSameQuestions")}>
                {rich("matrix.scoreTheAnswersOfASecond", { link: <a href={href("/")}>{t("matrix.loadTheDemo")}</a> })}
              </EmptyState>
            );
          const names = dataset.runs.map((run) => run.name);
          const known = names.filter((name) => asked.includes(name));
          const chosen = known.length > 1 ? known : names.slice(0, FIRST);
          const turn = (name: string) => {
            const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
            setQuery({ runs: next.map(encodeURIComponent).join(","), offset: null });
          };
          return (
            <>
              {names.length > 2 && (
                <fieldset className="matrix-runs">
                  <legend className="unseen">{t("common.runsTitle")}</legend>
                  {dataset.runs.map((run) => (
                    <Checkbox
                      key={run.name}
                      label={run.name}
                      isChecked={chosen.includes(run.name)}
                      isDisabled={chosen.includes(run.name) ? chosen.length <= 2 : chosen.length >= MOST}
                      onChange={() => turn(run.name)}
                    />
                  ))}
                  {names.length > MOST && <p>{t("matrix.atMost", { most: MOST })}</p>}
                </fieldset>
              )}
              <MatrixTable runs={chosen} />
            </>
          );
        }}
      </Await>
    </>
  );
}
