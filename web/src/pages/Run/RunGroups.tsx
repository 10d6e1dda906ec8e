import type { Group, RunDetail } from "../../api/generated/schema";
import { useReport } from "../../api/source";
import { EmptyState } from "../../components/ui/EmptyState";
import { Meter } from "../../components/ui/Meter";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatSeconds, formatShare, PLAIN } from "../../lib/format";
import { href, pathTo } from "../../lib/url";
import { HeatMap } from "./HeatMap";

const SHARE = { ...PLAIN, unit: "share" };

/** The run's samples by tag and by language. */
export function RunGroups({ run }: { run: RunDetail }) {
  const report = useReport();
  if (run.tag_groups.length === 0 && run.language_groups.length === 0)
    return <EmptyState title="No groups">Samples with tags or languages appear here, group by group.</EmptyState>;
  return (
    <div className="stack">
      {!report && run.tag_groups.length > 0 && <HeatMap run={run.name} />}
      <div className="columns">
        {run.tag_groups.length > 0 && <GroupTable run={run.name} kind="tag" title="Tags" groups={run.tag_groups} />}
        {run.language_groups.length > 0 && (
          <GroupTable run={run.name} kind="language" title="Languages" groups={run.language_groups} />
        )}
      </div>
    </div>
  );
}

function GroupTable({
  run,
  kind,
  title,
  groups,
}: {
  run: string;
  kind: "tag" | "language";
  title: string;
  groups: readonly Group[];
}) {
  const columns: Column<Group>[] = [
    {
      id: kind,
      label: title.slice(0, -1),
      value: (group) => group.name,
      cell: (group) => (
        <a href={href(pathTo("/runs/:run", { run }), { tab: "samples", [kind]: group.name })} dir="auto">
          {group.name || "(none)"}
        </a>
      ),
    },
    {
      id: "total",
      label: "Samples",
      isNumber: true,
      value: (group) => group.total,
      cell: (group) => formatCount(group.total),
    },
    {
      id: "pass_rate",
      label: "Pass rate",
      value: (group) => group.pass_rate,
      cell: (group) => (
        <span className="score-cell">
          <span className="number">{formatShare(group.pass_rate)}</span>
          <Meter value={group.pass_rate} scale={SHARE} label="Pass rate" />
        </span>
      ),
    },
    {
      id: "failed",
      label: "Failed",
      isNumber: true,
      value: (group) => group.failed,
      cell: (group) => formatCount(group.failed),
    },
    {
      id: "avg_duration",
      label: "Mean time",
      isNumber: true,
      value: (group) => group.avg_duration,
      cell: (group) => formatSeconds(group.avg_duration),
    },
  ];
  return (
    <Table
      caption={title}
      file={`${run}-${kind}s`}
      columns={columns}
      rows={groups}
      rowKey={(group) => group.name}
      sortName={`${kind}-sort`}
      tools={<h2>{title}</h2>}
    />
  );
}
