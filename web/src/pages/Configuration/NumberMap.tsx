import { type FormEvent, useState } from "react";
import type { MetricEntry } from "../../api/generated/schema";
import { POLARITY, useRegistry } from "../../api/registry";
import { MetricName } from "../../components/MetricName";
import { Button } from "../../components/ui/Button";
import { Notice } from "../../components/ui/Notice";
import { type Column, Table } from "../../components/ui/Table";
import { formatValue } from "../../lib/format";
import { t } from "../../lib/messages";
import { AddMetric } from "./AddMetric";
import { valueProblem } from "./names";

interface NumberMapProps {
  title: string;
  /** What one of the values is called. */
  valueLabel: string;
  saveLabel: string;
  /** The name of exported files. */
  file: string;
  note?: string;
  values: Readonly<Record<string, number>>;
  canChange: boolean;
  isBusy?: boolean;
  problem?: string;
  /** A number that the metric itself declares, shown beside. */
  ownValue?: (metric: MetricEntry) => number | null;
  ownLabel?: string;
  onSave?: (values: Readonly<Record<string, number>>) => void;
  tools?: React.ReactNode;
}

/** Numbers by metric, which can be added, changed and removed together. */
export function NumberMap({
  title,
  valueLabel,
  saveLabel,
  file,
  note,
  values,
  canChange,
  isBusy = false,
  problem = "",
  ownValue,
  ownLabel = t("configuration.own"),
  onSave,
  tools,
}: NumberMapProps) {
  const { metrics, scale } = useRegistry();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(values).map(([id, value]) => [id, String(value)])),
  );
  const rows = Object.keys(texts);
  const problems = Object.fromEntries(
    rows.map((id) => [id, valueProblem(texts[id]!, metrics.get(id)?.range ?? [null, null])]),
  );
  const wrong = rows.filter((id) => problems[id]);
  const after = Object.fromEntries(rows.map((id) => [id, Number(texts[id])]));
  const isChanged = rows.length !== Object.keys(values).length || rows.some((id) => values[id] !== after[id]);
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong.length === 0 && isChanged) onSave?.(after);
  };
  const columns: Column<string>[] = [
    { id: "metric", label: t("common.metric"), value: (id) => id, cell: (id) => <MetricName id={id} /> },
    {
      id: "value",
      label: valueLabel,
      value: (id) => after[id] ?? null,
      cell: (id) =>
        canChange ? (
          <NumberCell
            id={id}
            text={texts[id]!}
            problem={isTried ? problems[id]! : ""}
            onChange={(text) => setTexts({ ...texts, [id]: text })}
          />
        ) : (
          <span className="number">{formatValue(values[id], scale(id))}</span>
        ),
    },
    {
      id: "direction",
      label: t("common.better"),
      cell: (id) => <span className="muted">{POLARITY[metrics.get(id)?.polarity ?? "neutral"].short}</span>,
    },
  ];
  if (ownValue)
    columns.push({
      id: "own",
      label: ownLabel,
      isNumber: true,
      value: (id) => (metrics.has(id) ? ownValue(metrics.get(id)!) : null),
      cell: (id) => {
        const metric = metrics.get(id);
        const own = metric ? ownValue(metric) : null;
        return own === null ? <span className="muted">–</span> : formatValue(own, scale(id));
      },
    });
  if (canChange)
    columns.push({
      id: "remove",
      label: t("configuration.remove"),
      cell: (id) => (
        <Button
          kind="quiet"
          icon="delete"
          aria-label={t("configuration.removeNamed", { id })}
          onClick={() => setTexts(Object.fromEntries(Object.entries(texts).filter(([other]) => other !== id)))}
        />
      ),
    });
  return (
    <section aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        {note && <span className="muted small">{note}</span>}
        {tools && <span className="row-actions push">{tools}</span>}
      </div>
      <form onSubmit={submit} noValidate>
        {rows.length > 0 ? (
          <Table caption={title} file={file} columns={columns} rows={rows} rowKey={(id) => id} />
        ) : (
          <p className="muted small">{t("configuration.none")}</p>
        )}
        {canChange && (
          <div className="form number-map-foot">
            <AddMetric
              taken={rows}
              onAdd={(id) =>
                setTexts({ ...texts, [id]: String((metrics.has(id) && ownValue?.(metrics.get(id)!)) || "") })
              }
            />
            {problem && <Notice tone="bad">{problem}</Notice>}
            <div className="form-actions">
              <Button kind="primary" type="submit" disabled={isBusy || !isChanged}>
                {isBusy ? t("configuration.saving") : saveLabel}
              </Button>
              <Button
                kind="quiet"
                disabled={!isChanged}
                onClick={() =>
                  setTexts(Object.fromEntries(Object.entries(values).map(([id, value]) => [id, String(value)])))
                }
              >
                {t("configuration.undo")}
              </Button>
              {isTried && wrong.length > 0 && (
                <span className="problem small" role="alert">
                  {t("configuration.valuesOutsideRange", { count: wrong.length })}
                </span>
              )}
            </div>
          </div>
        )}
      </form>
    </section>
  );
}

function NumberCell({
  id,
  text,
  problem,
  onChange,
}: {
  id: string;
  text: string;
  problem: string;
  onChange: (text: string) => void;
}) {
  return (
    <span className="field">
      <input
        inputMode="decimal"
        size={9}
        className="number"
        aria-label={t("configuration.valueOf", { id })}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `wrong-${id}` : undefined}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem && (
        <span id={`wrong-${id}`} className="problem tiny">
          {problem}
        </span>
      )}
    </span>
  );
}
