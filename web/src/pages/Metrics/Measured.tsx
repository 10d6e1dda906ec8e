import type { AgreementEntry, MetricPage } from "../../api/generated/schema";
import { agreement, verdict } from "../../components/MetricFacts";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatFixed } from "../../lib/format";
import { IN_ENGLISH, kept, rich, t } from "../../lib/messages";

const signed = (value: number) => kept(`${value < 0 ? "−" : "+"}${formatFixed(Math.abs(value), 3)}`);

/** How far the metric was found to agree with people, set by set and beside plain rules. */
export function Measured({ metric }: { metric: MetricPage }) {
  const { measured } = metric;
  const ahead = measured.filter((found) => found.is_ahead).length;
  return (
    <section aria-labelledby="measured">
      <h2 id="measured">{t("metrics.howReliableItIs")}</h2>
      {measured.length === 0 ? (
        <p className="muted">{rich("metrics.noLabelledSetHasBeenFoundThat", { code: <code>assay evidence</code> })}</p>
      ) : (
        <>
          <p>
            {verdict(ahead, measured.length)} <span className="muted">{t("metrics.aurocTheChanceThatAPositive")}</span>
          </p>
          <Table
            caption={t("metrics.agreementOfWithLabels", { id: metric.id })}
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
  {
    id: "set",
    label: t("metrics.labelledSet"),
    value: (found) => found.set,
    cell: (found) => <code>{found.set}</code>,
  },
  {
    id: "question",
    label: t("metrics.whatTheLabelsAnswer"),
    isWide: true,
    value: (found) => found.question,
    cell: (found) => <span {...IN_ENGLISH}>{found.question}</span>,
  },
  {
    id: "records",
    label: t("common.records"),
    isNumber: true,
    value: (found) => found.records,
    cell: (found) => formatCount(found.records),
  },
  { id: "statistic", label: t("metrics.statistic"), value: (found) => found.statistic },
  {
    id: "value",
    label: t("metrics.agreement"),
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
    label: t("metrics.comparedWithBaselines"),
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
