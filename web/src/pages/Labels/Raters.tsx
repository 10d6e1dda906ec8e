import { addressOf } from "../../api/client";
import type { RaterEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Figure } from "../../components/Figure";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatNumber, formatShare } from "../../lib/format";

const COLUMNS: readonly Column<RaterEntry>[] = [
  { id: "rater", label: "Rater", value: (one) => one.rater, cell: (one) => <span dir="auto">{one.rater}</span> },
  { id: "labels", label: "Labels", isNumber: true, value: (one) => one.labels, cell: (one) => formatCount(one.labels) },
  {
    id: "agreement",
    label: "Agreement with others",
    isNumber: true,
    value: (one) => one.agreement,
    cell: (one) => (one.agreement === null ? "–" : `${formatShare(one.agreement)} of ${formatCount(one.shared)}`),
  },
];

function kappaNote(low: number | null, high: number | null) {
  if (low === null || high === null) return "Known when two people have labelled the same samples";
  return `Cohen's kappa, 95% interval ${formatNumber(low, 2)} to ${formatNumber(high, 2)}; 0 is chance`;
}

/** Who labelled how much, and how far they agree; all of it as a file. */
export function Raters({ run }: { run: string }) {
  const answer = useAnswer("get_run_labels", { name: run });
  return (
    <Await answer={answer}>
      {(report) =>
        report.samples === 0 ? (
          <EmptyState title="No labels yet">Label some samples, or give thumbs on the page of a sample.</EmptyState>
        ) : (
          <div className="stack">
            <section className="figures" aria-label="Labels of the run">
              <Figure
                label="Labelled samples"
                value={formatCount(report.samples)}
                note={[
                  `${formatCount(report.good)} good`,
                  `${formatCount(report.bad)} bad`,
                  `${formatCount(report.disputed)} disputed`,
                ].join(", ")}
              />
              <Figure
                label="Agreement of raters"
                value={report.kappa?.value === null || !report.kappa ? "–" : formatNumber(report.kappa.value, 2)}
                note={kappaNote(report.kappa?.low ?? null, report.kappa?.high ?? null)}
              />
            </section>
            <Table
              caption="Raters"
              file={`${run}-raters`}
              columns={COLUMNS}
              rows={report.raters}
              rowKey={(one) => one.rater}
            />
            <div>
              <a className="button" href={addressOf("export_labels", { name: run })} download>
                Download the labels as JSONL
              </a>
              <p className="muted small labels-hint">In a terminal, the file calibrates any metric:</p>
              <pre className="command" tabIndex={0}>
                <code>assay calibrate {run} -m METRIC --labels label --labels-from labels.jsonl --positive pass</code>
              </pre>
            </div>
          </div>
        )
      }
    </Await>
  );
}
