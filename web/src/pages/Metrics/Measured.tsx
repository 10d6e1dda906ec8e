import type { AgreementEntry, MetricPage } from "../../api/generated/schema";
import { agreement, verdict } from "../../components/MetricFacts";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount } from "../../lib/format";

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

/** How far the metric was found to agree with people, set by set and beside plain rules. */
export function Measured({ metric }: { metric: MetricPage }) {
  const { measured } = metric;
  const ahead = measured.filter((found) => found.is_ahead).length;
  return (
    <section aria-labelledby="measured">
      <h2 id="measured">How reliable it is</h2>
      {measured.length === 0 ? (
        <p className="muted">
          No labelled set has been found that measures it, so nothing is claimed of how far it agrees with people. Its
          rule and its blind spots are above; <code>assay evidence</code> measures it on your own labels.
        </p>
      ) : (
        <>
          <p>
            {verdict(ahead, measured.length)}{" "}
            <span className="muted">
              AUROC: the chance that a positive record scores above a negative one; 0.5 is a coin. Brackets hold 95%
              intervals.
            </span>
          </p>
          <Table
            caption={`Agreement of ${metric.id} with labels`}
            file={`${metric.id}-measured`}
            columns={COLUMNS}
            rows={measured}
            rowKey={(found) => `${found.question} ${found.set}`}
          />
        </>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<AgreementEntry>[] = [
  { id: "set", label: "Labelled set", value: (found) => found.set, cell: (found) => <code>{found.set}</code> },
  {
    id: "question",
    label: "What the labels answer",
    isWide: true,
    value: (found) => found.question,
    cell: (found) => found.question,
  },
  {
    id: "records",
    label: "Records",
    isNumber: true,
    value: (found) => found.records,
    cell: (found) => formatCount(found.records),
  },
  { id: "statistic", label: "Statistic", value: (found) => found.statistic },
  {
    id: "value",
    label: "Agreement",
    value: (found) => found.value,
    cell: (found) =>
      found.is_ahead ? (
        <strong className="number">{agreement(found)}</strong>
      ) : (
        <span className="number">{agreement(found)}</span>
      ),
  },
  {
    id: "rules",
    label: "Compared with baselines",
    value: (found) =>
      Object.entries(found.rules)
        .map(([rule, [value, low, high]]) => `${rule} ${value} [${low}, ${high}]`)
        .join("; "),
    cell: (found) => (
      <ul className="plain small">
        {Object.entries(found.rules).map(([rule, [value, low, high]]) => (
          <li key={rule}>
            <code>{rule}</code> <span className="number">{`${signed(value)} [${signed(low)}, ${signed(high)}]`}</span>
          </li>
        ))}
      </ul>
    ),
  },
];
