import type { Comparison } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { MatrixTable } from "../../components/MatrixTable";
import { PageHead } from "../../components/PageHead";
import { RunLink } from "../../components/RunLink";
import { Await } from "../../components/ui/Await";
import { Button } from "../../components/ui/Button";
import { EmptyState } from "../../components/ui/EmptyState";
import { Select } from "../../components/ui/Select";
import { Tabs } from "../../components/ui/Tabs";
import { mergeSame } from "../../lib/changes";
import { formatCount } from "../../lib/format";
import { IN_ENGLISH, rich, t, word } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { ChangedSamples } from "./ChangedSamples";
import { ChangeTable } from "./ChangeTable";
import "./compare.css";

const CORRECTIONS = [
  { value: "holm", label: "Holm" },
  { value: "bh", label: "Benjamini–Hochberg" },
  { value: "none", label: t("common.none") },
];
type Correction = "holm" | "bh" | "none";
const BY = ["auto", "id", "query"] as const;

/** Run B against run A: what really changed, and where. */
export function Compare() {
  const [query, setQuery] = useQuery();
  const runs = useAnswer("list_runs", { limit: 200 });
  const a = query.a ?? "";
  const b = query.b ?? "";
  const isReady = a !== "" && b !== "" && a !== b;
  const answer = useAnswer(
    "compare_runs",
    isReady
      ? {
          a,
          b,
          by: BY.find((by) => by === query.by) ?? "auto",
          correction: (query.correction as Correction | undefined) ?? "holm",
          samples: 50,
        }
      : null,
  );
  return (
    <>
      <PageHead title={t("page.compare")} />
      <Await answer={runs}>
        {({ items }) => {
          const options = items
            .filter((run) => run.tests > 0)
            .map((run) => ({ value: run.name, label: `${run.name} (${formatCount(run.tests)})` }));
          if (options.length < 2)
            return (
              <EmptyState
                title={t("compare.twoRunsAreNeeded")}
                command="assay run answers.jsonl --metrics all --run tuesday"
              >
                {t("compare.storeASecondRunOfThe")}
              </EmptyState>
            );
          return (
            <>
              <div className="filters compare-filters">
                <Select
                  label={t("compare.fromA")}
                  all={t("compare.chooseARun")}
                  options={options}
                  value={a}
                  onChange={(next) => setQuery({ a: next }, false)}
                />
                <Button
                  kind="quiet"
                  icon="swap"
                  aria-label={t("compare.swapAAndB")}
                  title={t("compare.swapAAndB")}
                  onClick={() => setQuery({ a: b, b: a }, false)}
                />
                <Select
                  label={t("compare.toB")}
                  all={t("compare.chooseARun")}
                  options={options}
                  value={b}
                  onChange={(next) => setQuery({ b: next }, false)}
                />
                <Select
                  label={t("compare.pairsBy")}
                  options={[
                    { value: "auto", label: t("compare.idOrQuery") },
                    { value: "id", label: t("compare.id") },
                    { value: "query", label: t("compare.query") },
                  ]}
                  value={query.by ?? "auto"}
                  onChange={(by) => setQuery({ by }, false)}
                />
                <Select
                  label={t("compare.correction")}
                  options={CORRECTIONS}
                  value={query.correction ?? "holm"}
                  onChange={(correction) => setQuery({ correction }, false)}
                />
              </div>
              {isReady ? (
                <Await answer={answer}>{(found) => <Changes comparison={found} />}</Await>
              ) : (
                <EmptyState title={a && a === b ? t("compare.aAndBAreTheSame") : t("compare.chooseTwoRuns")}>
                  {t("compare.samplesWithTheSameIdAre")}
                </EmptyState>
              )}
            </>
          );
        }}
      </Await>
    </>
  );
}

const VERDICTS = ["worse", "better", "higher", "lower", "no real change", "too few samples"] as const;

function Changes({ comparison }: { comparison: Comparison }) {
  const [query, setQuery] = useQuery();
  const tab = query.tab ?? "metrics";
  const changes = mergeSame(comparison.metrics.filter((change) => change.difference !== null));
  const counts = VERDICTS.map((verdict) => ({
    verdict,
    count: changes.filter((change) => change.verdict === verdict).length,
  }));
  const refused = Object.entries(comparison.refused);
  return (
    <>
      <p className="compare-said">
        {rich("compare.fromTo", {
          run: <RunLink name={comparison.a} />,
          run2: <RunLink name={comparison.b} />,
          counts: counts
            .filter(({ count }) => count > 0)
            .map(({ verdict, count }, index) => (
              <span key={verdict}>
                {index > 0 && ", "}
                <strong
                  className={
                    verdict === "worse" ? "tone-text tone-bad" : verdict === "better" ? "tone-text tone-good" : ""
                  }
                >
                  {t(`compare.count.${verdict}`, { count })}
                </strong>
              </span>
            )),
          part: (
            <span className="muted">
              {t("compare.pairsPairedBy", { pairs: comparison.pairs, paired_by: word(comparison.paired_by) })}
            </span>
          ),
          part2: (comparison.only_a > 0 || comparison.only_b > 0) && (
            <span className="muted">
              {t("compare.onlyInAOnlyInB", { only_a: comparison.only_a, only_b: comparison.only_b })}
            </span>
          ),
        })}
      </p>
      {comparison.notes.length > 0 && (
        <ul className="notes muted small">
          {comparison.notes.map((note) => (
            <li key={note} {...IN_ENGLISH}>
              {note}
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <details className="refused">
          <summary>{t("compare.metricsCannotBeCompared", { refused: refused.length })}</summary>
          <ul>
            {refused.map(([metric, reasons]) => (
              <li key={metric}>
                <span className="id">{metric}</span> <span {...IN_ENGLISH}>{reasons.join("; ")}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Tabs
        label={t("common.whatChanged")}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "metrics" ? null : next }, false)}
        tabs={[
          {
            id: "metrics",
            label: t("common.metricsWithCount", {
              metrics: changes.length,
            }),
          },
          { id: "questions", label: t("compare.lostAndGained") },
          { id: "samples", label: t("compare.samplesThatChangedMostCount", { samples: comparison.samples.length }) },
        ]}
      >
        {tab === "samples" ? (
          <ChangedSamples comparison={comparison} />
        ) : tab === "questions" ? (
          <MatrixTable runs={[comparison.a, comparison.b]} />
        ) : (
          <ChangeTable comparison={comparison} />
        )}
      </Tabs>
    </>
  );
}
