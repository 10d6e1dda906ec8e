import { useState } from "react";
import { ApiError, ask } from "../../api/client";
import type { CalibrationEntry, EstimateEntry, MetricValues } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { Figure } from "../../components/Figure";
import { Await } from "../../components/ui/Await";
import { Button } from "../../components/ui/Button";
import { Chart } from "../../components/ui/Chart";
import { EmptyState } from "../../components/ui/EmptyState";
import { TextField } from "../../components/ui/Field";
import { Notice } from "../../components/ui/Notice";
import { formatCount, formatLimit, formatNumber, formatShare, type Scale } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { curveOf, cutAt } from "../../lib/threshold";
import { href } from "../../lib/url";
import { useWidth } from "../../lib/width";

/** A metric against people's labels: what its threshold gets right, and which one to take. */
export function Calibration({ run, metric }: { run: string; metric: string }) {
  const found = useAnswer("get_calibration", { name: run, metric });
  const values = useAnswer("list_run_values", { name: run, metric });
  return (
    <Await answer={found}>
      {(calibration) =>
        calibration.problem ? (
          <EmptyState title={t("labels.notEnoughLabels")}>{calibration.problem}</EmptyState>
        ) : (
          <Await answer={values}>{(data) => <Board calibration={calibration} data={data} />}</Await>
        )
      }
    </Await>
  );
}

function Board({ calibration, data }: { calibration: CalibrationEntry; data: MetricValues }) {
  const { metrics, scale } = useRegistry();
  const metric = metrics.get(data.metric);
  const polarity = metric?.polarity ?? "higher";
  const own = scale(data.metric);
  const low = own.range[0] ?? Math.min(...data.values);
  const high = own.range[1] ?? Math.max(...data.values);
  const [threshold, setThreshold] = useState(calibration.threshold ?? (low + high) / 2);
  const cut = cutAt(data.values, data.labels, threshold, polarity);
  return (
    <div className="stack">
      <section className="figures" aria-label={t("labels.whatTheLabelsSay")}>
        <Figure
          label={t("labels.separatesGoodFromBad")}
          value={
            calibration.auroc?.value === null || !calibration.auroc ? "–" : formatNumber(calibration.auroc.value, 2)
          }
          note={t("labels.auroc05IsACoin", { auroc: intervalOf(calibration.auroc, (end) => formatNumber(end, 2)) })}
        />
        <Figure
          label={t("labels.peopleWouldPass")}
          value={formatShare(calibration.pass_rate?.value ?? null)}
          note={t("labels.ofAllSamplesOfTheRun", { pass_rate: intervalOf(calibration.pass_rate, formatShare) })}
        />
        <Figure
          label={t("labels.bestThreshold")}
          value={calibration.threshold === null ? "–" : formatLimit(rounded(calibration.threshold), polarity, own)}
          note={[
            t("labels.agreesWith", { value: formatShare(calibration.agreement?.value ?? null) }),
            t("labels.ofLabels", { labelled: calibration.labelled }),
            intervalOf(calibration.agreement, formatShare),
          ].join("")}
        />
      </section>
      <section className="calibration" aria-label={t("common.threshold")}>
        <div>
          <label className="field threshold-slider">
            <span className="field-label">
              {rich("labels.threshold", {
                strong: <strong className="number">{formatLimit(rounded(threshold), polarity, own)}</strong>,
              })}
            </span>
            <input
              type="range"
              min={low}
              max={high}
              step={(high - low) / 200}
              value={threshold}
              onChange={(event) => setThreshold(Number(event.target.value))}
            />
          </label>
          <p role="status">
            {rich("labels.ofTheRunWouldPassPrecisionRecall", {
              strong: <strong className="number">{formatShare(cut.passRate)}</strong>,
              strong2: <strong className="number">{formatShare(cut.precision, 0)}</strong>,
              strong3: <strong className="number">{formatShare(cut.recall, 0)}</strong>,
            })}
          </p>
          <Save metric={data.metric} threshold={rounded(threshold)} scale={own} polarity={polarity} />
        </div>
        <Confusion data={data} threshold={threshold} polarity={polarity} />
      </section>
      <Curve data={data} threshold={threshold} polarity={polarity} low={low} high={high} scale={own} />
      {calibration.warnings.length > 0 && (
        <ul className="muted small">
          {calibration.warnings.map((warning) => (
            <li key={warning} dir="auto">
              {warning}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const rounded = (value: number) => Number(value.toPrecision(4));

function intervalOf(estimate: EstimateEntry | null, format: (end: number) => string): string {
  return estimate?.low === null || !estimate || estimate.high === null
    ? ""
    : t("labels.95IntervalLowToHigh", { low: format(estimate.low), high: format(estimate.high) });
}

/** What the metric says against what people say. */
function Confusion({ data, threshold, polarity }: { data: MetricValues; threshold: number; polarity: string }) {
  const count = (label: "pass" | "fail", isPass: boolean) =>
    data.values.filter(
      (value, place) =>
        data.labels[place] === label && (polarity === "lower" ? value <= threshold : value >= threshold) === isPass,
    ).length;
  const rows = [
    { name: t("labels.metricPasses"), cells: [count("pass", true), count("fail", true)] },
    { name: t("labels.metricFails"), cells: [count("pass", false), count("fail", false)] },
  ];
  return (
    <table className="confusion">
      <caption className="small">{t("labels.theMetricAgainstPeople")}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t("labels.peopleGood")}</th>
          <th scope="col">{t("labels.peopleBad")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            {row.cells.map((cell, place) => (
              <td key={place} className={index === place ? "right" : "wrong"}>
                <span className="number">{formatCount(cell)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const HEIGHT = 200;
const EDGE = { left: 44, right: 12, top: 12, bottom: 30 };

/** Precision and recall for every threshold. */
function Curve({
  data,
  threshold,
  polarity,
  low,
  high,
  scale,
}: {
  data: MetricValues;
  threshold: number;
  polarity: string;
  low: number;
  high: number;
  scale: Scale;
}) {
  const [frame, width] = useWidth<HTMLDivElement>(640);
  const points = curveOf(data.values, data.labels, polarity, low, high, 60);
  const x = (value: number) => EDGE.left + ((width - EDGE.left - EDGE.right) * (value - low)) / (high - low || 1);
  const y = (share: number) => EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - share);
  const line = (name: "precision" | "recall") => {
    const known = points.filter((point) => point[name] !== null);
    return known
      .map((point, index) => `${index ? "L" : "M"}${x(point.threshold).toFixed(1)} ${y(point[name]!).toFixed(1)}`)
      .join("");
  };
  return (
    <Chart
      title={t("labels.precisionAndRecall")}
      note={t("labels.ofFindingBadAnswersByThreshold")}
      file={`${data.metric}-curve`}
    >
      <div ref={frame}>
        <svg
          className="drawing curve"
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={t("labels.precisionAndRecallByThreshold")}
        >
          {[0, 0.5, 1].map((tick) => (
            <g key={tick}>
              <line className="grid" x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} />
              <text x={EDGE.left - 8} y={y(tick)} textAnchor="end" dominantBaseline="middle">
                {formatShare(tick, 0)}
              </text>
            </g>
          ))}
          {[low, (low + high) / 2, high].map((tick, place) => (
            <text key={tick} x={x(tick)} y={HEIGHT - 8} textAnchor={(["start", "middle", "end"] as const)[place]}>
              {formatNumber(tick, 2)}
              {scale.unit && ` ${scale.unit}`}
            </text>
          ))}
          <path className="line" d={line("precision")} />
          <path className="line recall" d={line("recall")} />
          <line className="cursor" x1={x(threshold)} x2={x(threshold)} y1={EDGE.top} y2={HEIGHT - EDGE.bottom} />
        </svg>
      </div>
      <p className="small legend">
        <span className="key precision">{t("labels.precision")}</span>{" "}
        <span className="key recall">{t("labels.recall")}</span>
      </p>
    </Chart>
  );
}

/** Keeps the threshold in a profile of the team's own. */
function Save({
  metric,
  threshold,
  scale,
  polarity,
}: {
  metric: string;
  threshold: number;
  scale: Scale;
  polarity: string;
}) {
  const [name, setName] = useState("calibrated");
  const save = useAction(async () => {
    try {
      return await ask("change_thresholds", { name, body: { thresholds: { [metric]: threshold } } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      const body = { title: t("labels.thresholdsFromLabels"), thresholds: { [metric]: threshold } };
      return ask("save_profile", { name, body });
    }
  });
  const [said, setSaid] = useState("");
  return (
    <form
      className="form-row"
      aria-label={t("labels.saveAsThreshold")}
      onSubmit={async (event) => {
        event.preventDefault();
        const saved = await save.run();
        if (saved)
          setSaid(
            t("labels.isInTheProfile", {
              metric,
              threshold: formatLimit(threshold, polarity, scale),
              name: saved.name,
            }),
          );
      }}
    >
      <TextField label={t("common.profile")} value={name} dir="ltr" maxLength={64} onChange={setName} />
      <Button kind="primary" type="submit" disabled={save.isBusy || !name}>
        {t("labels.saveAsThreshold")}
      </Button>
      {save.problem && <Notice tone="bad">{save.problem}</Notice>}
      {said && (
        <Notice tone="good">
          {said} <a href={href("/configuration", { profile: name })}>{t("labels.openIt")}</a>
        </Notice>
      )}
    </form>
  );
}
