import type { CSSProperties } from "react";
import type { GroupCell, GroupTable } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { formatCount, formatInterval, formatShare, formatValue, type Scale } from "../../lib/format";
import { href, pathTo } from "../../lib/url";

/** Groups against metrics: the weak spots of a run at a glance, each cell a way to its samples. */
export function HeatMap({ run }: { run: string }) {
  const answer = useAnswer("list_run_groups", { name: run });
  return (
    <section aria-labelledby="heat">
      <div className="section-head">
        <h2 id="heat">Groups and metrics</h2>
        <span className="muted small">share that passes, or the mean where nothing decides; n samples</span>
      </div>
      <Await answer={answer}>{(table) => <Heat run={run} table={table} />}</Await>
    </section>
  );
}

function Heat({ run, table }: { run: string; table: GroupTable }) {
  const { label, scale } = useRegistry();
  if (table.metrics.length === 0) return <p className="muted">No metric gave a score.</p>;
  return (
    <>
      <div className="heat" tabIndex={0} role="region" aria-label="Groups and metrics, scrolls sideways">
        <table>
          <caption className="unseen">Share of samples that pass, by group and metric</caption>
          <thead>
            <tr>
              <td />
              {table.metrics.map((metric) => (
                <th key={metric} scope="col" title={metric}>
                  {label(metric)}
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
        <p className="muted small">{formatCount(table.left_out)} smaller groups are not shown here.</p>
      )}
    </>
  );
}

function Cell({ cell, scale, name, address }: { cell: GroupCell; scale: Scale; name: string; address: string }) {
  const share = cell.pass_rate ?? cell.quality ?? 0.5;
  const words = [
    name,
    cell.pass_rate === null ? "" : `${formatCount(cell.passed)} of ${formatCount(cell.judged)} pass`,
    `mean ${formatValue(cell.mean, scale)}`,
    cell.interval ? `95% interval ${formatInterval(cell.interval, scale)}` : "",
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
