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
import { formatCount } from "../../lib/format";
import { useQuery } from "../../lib/url";
import { ChangedSamples } from "./ChangedSamples";
import { ChangeTable } from "./ChangeTable";
import "./compare.css";

const CORRECTIONS = [
  { value: "holm", label: "Holm" },
  { value: "bh", label: "Benjamini–Hochberg" },
  { value: "none", label: "none" },
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
      <PageHead title="Compare" />
      <Await answer={runs}>
        {({ items }) => {
          const options = items
            .filter((run) => run.tests > 0)
            .map((run) => ({ value: run.name, label: `${run.name} (${formatCount(run.tests)})` }));
          if (options.length < 2)
            return (
              <EmptyState title="Two runs are needed" command="assay run answers.jsonl --metrics all --run tuesday">
                Store a second run of the same questions, then choose both here:
              </EmptyState>
            );
          return (
            <>
              <div className="filters compare-filters">
                <Select
                  label="From A"
                  all="Choose a run"
                  options={options}
                  value={a}
                  onChange={(next) => setQuery({ a: next }, false)}
                />
                <Button
                  kind="quiet"
                  icon="swap"
                  aria-label="Swap A and B"
                  title="Swap A and B"
                  onClick={() => setQuery({ a: b, b: a }, false)}
                />
                <Select
                  label="to B"
                  all="Choose a run"
                  options={options}
                  value={b}
                  onChange={(next) => setQuery({ b: next }, false)}
                />
                <Select
                  label="Pairs by"
                  options={[
                    { value: "auto", label: "id or query" },
                    { value: "id", label: "id" },
                    { value: "query", label: "query" },
                  ]}
                  value={query.by ?? "auto"}
                  onChange={(by) => setQuery({ by }, false)}
                />
                <Select
                  label="Correction"
                  options={CORRECTIONS}
                  value={query.correction ?? "holm"}
                  onChange={(correction) => setQuery({ correction }, false)}
                />
              </div>
              {isReady ? (
                <Await answer={answer}>{(found) => <Changes comparison={found} />}</Await>
              ) : (
                <EmptyState title={a && a === b ? "A and B are the same run" : "Choose two runs"}>
                  Samples with the same id are paired, so every difference compares answers to the same question.
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
  const counts = VERDICTS.map((verdict) => ({
    verdict,
    count: comparison.metrics.filter((metric) => metric.verdict === verdict && metric.difference !== null).length,
  }));
  const refused = Object.entries(comparison.refused);
  return (
    <>
      <p className="compare-said">
        From <RunLink name={comparison.a} /> to <RunLink name={comparison.b} />:{" "}
        {counts
          .filter(({ count }) => count > 0)
          .map(({ verdict, count }, index) => (
            <span key={verdict}>
              {index > 0 && ", "}
              <strong
                className={
                  verdict === "worse" ? "tone-text tone-bad" : verdict === "better" ? "tone-text tone-good" : ""
                }
              >
                {formatCount(count)} {verdict}
              </strong>
            </span>
          ))}
        .{" "}
        <span className="muted">
          {formatCount(comparison.pairs)} pairs by {comparison.paired_by}
        </span>
        {(comparison.only_a > 0 || comparison.only_b > 0) && (
          <span className="muted">
            ; {formatCount(comparison.only_a)} only in A, {formatCount(comparison.only_b)} only in B
          </span>
        )}
      </p>
      {comparison.notes.length > 0 && (
        <ul className="notes muted small">
          {comparison.notes.map((note) => (
            <li key={note} dir="auto">
              {note}
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <details className="refused">
          <summary>{formatCount(refused.length)} metrics cannot be compared</summary>
          <ul>
            {refused.map(([metric, reasons]) => (
              <li key={metric}>
                <span className="id">{metric}</span> <span dir="auto">{reasons.join("; ")}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Tabs
        label="What changed"
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "metrics" ? null : next }, false)}
        tabs={[
          {
            id: "metrics",
            label: `Metrics (${formatCount(comparison.metrics.filter((one) => one.difference !== null).length)})`,
          },
          { id: "questions", label: "Lost and gained" },
          { id: "samples", label: `Samples that changed most (${comparison.samples.length})` },
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
