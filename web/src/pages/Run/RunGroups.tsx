import type { Group, RunDetail } from "../../api/generated/schema";
import { useReport } from "../../api/source";
import { EmptyState } from "../../components/ui/EmptyState";
import { Meter } from "../../components/ui/Meter";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatSeconds, formatShare, PLAIN } from "../../lib/format";
import { t } from "../../lib/messages";
import { href, pathTo } from "../../lib/url";
import { HeatMap } from "./HeatMap";

const SHARE = { ...PLAIN, unit: "share" };

/** The run's samples by tag and by language. */
export function RunGroups({ run }: { run: RunDetail }) {
  const report = useReport();
  if (run.tag_groups.length === 0 && run.language_groups.length === 0)
    return <EmptyState title={t("run.noGroups")}>{t("run.samplesWithTagsOrLanguagesAppear")}</EmptyState>;
  return (
    <div className="stack">
      {!report && run.tag_groups.length > 0 && <HeatMap run={run.name} />}
      <div className="columns">
        {run.tag_groups.length > 0 && (
          <GroupTable run={run.name} kind="tag" title={t("common.tags")} groups={run.tag_groups} />
        )}
        {run.language_groups.length > 0 && (
          <GroupTable run={run.name} kind="language" title={t("common.languages")} groups={run.language_groups} />
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
      label: kind === "tag" ? t("common.tag") : t("common.language"),
      value: (group) => group.name,
      cell: (group) => (
        <a href={href(pathTo("/runs/:run", { run }), { tab: "samples", [kind]: group.name })} dir="auto">
          {group.name || t("run.none")}
        </a>
      ),
    },
    {
      id: "total",
      label: t("common.samples"),
      isNumber: true,
      value: (group) => group.total,
      cell: (group) => formatCount(group.total),
    },
    {
      id: "pass_rate",
      label: t("common.passRate"),
      value: (group) => group.pass_rate,
      cell: (group) => (
        <span className="score-cell">
          <span className="number">{formatShare(group.pass_rate)}</span>
          <Meter value={group.pass_rate} scale={SHARE} label={t("common.passRate")} />
        </span>
      ),
    },
    {
      id: "failed",
      label: t("common.failed"),
      isNumber: true,
      value: (group) => group.failed,
      cell: (group) => formatCount(group.failed),
    },
    {
      id: "avg_duration",
      label: t("run.meanTime"),
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
