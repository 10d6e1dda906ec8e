import { addressOf } from "../../api/client";
import type { RaterEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Figure } from "../../components/Figure";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatNumber, formatShare } from "../../lib/format";
import { t } from "../../lib/messages";

const COLUMNS: readonly Column<RaterEntry>[] = [
  {
    id: "rater",
    label: t("labels.rater"),
    value: (one) => one.rater,
    cell: (one) => <span dir="auto">{one.rater}</span>,
  },
  {
    id: "labels",
    label: t("labels.labels"),
    isNumber: true,
    value: (one) => one.labels,
    cell: (one) => formatCount(one.labels),
  },
  {
    id: "agreement",
    label: t("labels.agreementWithOthers"),
    isNumber: true,
    value: (one) => one.agreement,
    cell: (one) =>
      one.agreement === null
        ? "–"
        : t("labels.agreementOfShared", { agreement: formatShare(one.agreement), shared: one.shared }),
  },
];

function kappaNote(low: number | null, high: number | null) {
  if (low === null || high === null) return t("labels.knownWhenTwoPeopleHaveLabelled");
  return t("labels.fleissKappa95IntervalTo0Is", { low: formatNumber(low, 2), high: formatNumber(high, 2) });
}

/** Who labelled how much, and how far they agree; all of it as a file. */
export function Raters({ run }: { run: string }) {
  const answer = useAnswer("get_run_labels", { name: run });
  return (
    <Await answer={answer}>
      {(report) =>
        report.samples === 0 ? (
          <EmptyState title={t("labels.noLabelsYet")}>{t("labels.labelSomeSamplesOrGiveThumbs")}</EmptyState>
        ) : (
          <div className="stack">
            <section className="figures" aria-label={t("labels.labelsOfTheRun")}>
              <Figure
                label={t("labels.labelledSamples")}
                value={formatCount(report.samples)}
                note={[
                  t("labels.goodCount", { good: report.good }),
                  t("labels.badCount", { bad: report.bad }),
                  t("labels.disputedCount", { disputed: report.disputed }),
                ].join(", ")}
              />
              <Figure
                label={t("labels.agreementOfRaters")}
                value={report.kappa?.value === null || !report.kappa ? "–" : formatNumber(report.kappa.value, 2)}
                note={kappaNote(report.kappa?.low ?? null, report.kappa?.high ?? null)}
              />
            </section>
            <Table
              caption={t("labels.raters")}
              file={`${run}-raters`}
              columns={COLUMNS}
              rows={report.raters}
              rowKey={(one) => one.rater}
            />
            <div>
              <a className="button" href={addressOf("export_labels", { name: run })} download>
                {t("labels.downloadTheLabelsAsJSONL")}
              </a>
              <p className="muted small labels-hint">{t("labels.inATerminalTheFileCalibrates")}</p>
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
