import type { CSSProperties } from "react";
import type { GroupCell, GroupTable } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { formatCount, formatInterval, formatShare, formatValue, type Scale } from "../../lib/format";
import { t } from "../../lib/messages";
import { href, pathTo } from "../../lib/url";

/** Metrics whose names fit beside each other on a small laptop; the names of more stand upright. */
const DENSE = 7;

/** Groups against metrics: the weak spots of a run at a glance, each cell a way to its samples. */
export function HeatMap({ run }: { run: string }) {
  const answer = useAnswer("list_run_groups", { name: run });
  return (
    <section aria-labelledby="heat">
      <div className="section-head">
        <h2 id="heat">{t("run.groupsAndMetrics")}</h2>
        <span className="muted small">{t("run.shareThatPassesOrTheMean")}</span>
      </div>
      <Await answer={answer}>{(table) => <Heat run={run} table={table} />}</Await>
    </section>
  );
}

function Heat({ run, table }: { run: string; table: GroupTable }) {
  const { label, scale } = useRegistry();
  if (table.metrics.length === 0) return <p className="muted">{t("run.noMetricGaveAScore")}</p>;
  return (
    <>
      <div
        className="heat"
        data-dense={table.metrics.length > DENSE || undefined}
        tabIndex={0}
        role="region"
        aria-label={t("run.groupsAndMetricsScrollsSideways")}
      >
        <table>
          <caption className="unseen">{t("run.shareOfSamplesThatPassBy")}</caption>
          <thead>
            <tr>
              <td />
              {table.metrics.map((metric) => (
                <th key={metric} scope="col" title={metric}>
                  <span>{label(metric)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.groups.map((group) => (
              <tr key={group.name}>
                <th scope="row" dir="auto">
                  {group.name} <span className="muted tiny number">{formatCount(group.total)}</span>
                </th>
                {table.metrics.map((metric) => {
                  const cell = group.cells[metric];
                  return (
                    <td key={metric}>
                      {cell ? (
                        <Cell
                          cell={cell}
                          scale={scale(metric)}
                          name={`${group.name}, ${label(metric)}`}
                          address={href(pathTo("/runs/:run", { run }), { tab: "samples", tag: group.name, metric })}
                        />
                      ) : (
                        <span>–</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.left_out > 0 && (
        <p className="muted small">{t("run.smallerGroupsAreNotShownHere", { left_out: table.left_out })}</p>
      )}
    </>
  );
}

function Cell({ cell, scale, name, address }: { cell: GroupCell; scale: Scale; name: string; address: string }) {
  const share = cell.pass_rate ?? cell.quality ?? 0.5;
  const words = [
    name,
    cell.pass_rate === null ? "" : t("run.ofPass", { passed: cell.passed, judged: cell.judged }),
    t("run.mean", { mean: formatValue(cell.mean, scale) }),
    cell.interval ? t("common.interval95", { interval: formatInterval(cell.interval, scale) }) : "",
    `n = ${formatCount(cell.count)}`,
  ].filter(Boolean);
  return (
    <a href={address} title={words.join("\n")} style={{ "--at": `${(100 * share).toFixed(0)}%` } as CSSProperties}>
      <strong className="number">
        {cell.pass_rate === null ? formatValue(cell.mean, scale) : formatShare(cell.pass_rate, 0)}
      </strong>
      <span className="tiny number">n {formatCount(cell.count)}</span>
      <span className="unseen">{words.join(", ")}</span>
    </a>
  );
}
