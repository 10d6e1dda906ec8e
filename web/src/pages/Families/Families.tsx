import type { Family, MetricEntry, MetricFigures } from "../../api/generated/schema";
import { qualityOf, toneOf, useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { MetricName } from "../../components/MetricName";
import { useScope } from "../../components/Scope";
import { Await } from "../../components/ui/Await";
import { Choice } from "../../components/ui/Choice";
import { EmptyState } from "../../components/ui/EmptyState";
import { Checkbox } from "../../components/ui/Field";
import { Meter } from "../../components/ui/Meter";
import { type Column, Table } from "../../components/ui/Table";
import { Tabs } from "../../components/ui/Tabs";
import { formatCount, formatEnds, formatShare, formatValue, labelOf, NOTHING, PLAIN } from "../../lib/format";
import { IN_ENGLISH, t } from "../../lib/messages";
import { languageOf, summaryOf } from "../../lib/metric-words";
import { useQuery } from "../../lib/url";
import "./families.css";

interface Row {
  metric: MetricEntry;
  figures: MetricFigures | undefined;
}

/** Every family of metrics over the chosen time and run, group by group. */
export function Families() {
  const [query, setQuery] = useQuery();
  const families = useAnswer("list_families", {}, { isFixed: true });
  return (
    <Await answer={families}>
      {(listed) => {
        const family = listed.find((entry) => entry.name === query.family) ?? listed[0];
        if (!family) return <EmptyState title={t("families.noMetricsAreInstalled")} />;
        return (
          <Tabs
            label={t("common.families")}
            chosen={family.name}
            onChoose={(name) => setQuery({ family: name, group: null, sort: null }, false)}
            tabs={listed.map((entry) => ({
              id: entry.name,
              label: `${labelOf(entry.name)} (${formatCount(entry.metrics)})`,
            }))}
          >
            <FamilyBoard family={family} />
          </Tabs>
        );
      }}
    </Await>
  );
}

function FamilyBoard({ family }: { family: Family }) {
  const scope = useScope();
  const { metrics } = useRegistry();
  const [query, setQuery] = useQuery();
  const statistics = useAnswer("get_statistics", scope, { keeps: true, every: 30_000 });
  return (
    <Await answer={statistics}>
      {({ validation_metrics: figures }) => {
        const rows = [...metrics.values()]
          .filter((metric) => metric.family === family.name)
          .map((metric) => ({ metric, figures: figures[metric.id] }));
        const groups = [...new Set(rows.map((row) => row.metric.group))].sort();
        const shown = rows.filter((row) => !query.scored || row.figures?.count);
        const chosen = query.group && groups.includes(query.group) ? [query.group] : groups;
        return (
          <div className="stack">
            <div>
              {family.title && (
                <p className="muted" {...languageOf(family.name)}>
                  {summaryOf({ id: family.name, summary: family.title })}
                </p>
              )}
              <div className="filters family-filters">
                {groups.length > 1 && (
                  <Choice
                    label={t("families.group")}
                    options={[
                      { value: "", label: t("families.allGroups") },
                      ...groups.map((group) => ({ value: group, label: labelOf(group) })),
                    ]}
                    value={query.group ?? ""}
                    onChange={(group) => setQuery({ group })}
                  />
                )}
                <Checkbox
                  label={t("families.onlyWhatWasScored")}
                  isChecked={Boolean(query.scored)}
                  onChange={(isOn) => setQuery({ scored: isOn ? "yes" : null })}
                />
              </div>
            </div>
            {shown.length === 0 && (
              <EmptyState
                title={t("families.nothingOfThisFamilyWasScored")}
                command={`assay run answers.jsonl --metrics ${family.name} --run monday`}
              >
                {t("families.chooseALongerPeriodOrAnother")}
              </EmptyState>
            )}
            {chosen.map((group) => {
              const own = shown.filter((row) => row.metric.group === group);
              return own.length > 0 && <GroupTable key={group} family={family.name} group={group} rows={own} />;
            })}
          </div>
        );
      }}
    </Await>
  );
}

function GroupTable({ family, group, rows }: { family: string; group: string; rows: readonly Row[] }) {
  const title = group ? labelOf(group) : labelOf(family);
  return (
    <Table
      caption={title}
      file={[family, group].filter(Boolean).join("-")}
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.metric.id}
      sortName="sort"
      tools={<h2>{title}</h2>}
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "metric",
    label: t("common.metric"),
    value: ({ metric }) => metric.id,
    cell: ({ metric }) => <MetricName id={metric.id} hasId={false} />,
  },
  {
    id: "quality",
    label: t("common.mean"),
    help: t("families.onTheMetricSOwnScale"),
    value: ({ metric, figures }) => qualityOf(metric, figures?.mean ?? null),
    cell: ({ metric, figures }) =>
      figures?.mean === null || figures?.mean === undefined ? (
        <span className="muted">
          {NOTHING}
          <span className="tiny block">
            {figures?.reason ? (
              <span {...IN_ENGLISH}>{figures.reason}</span>
            ) : (
              t("families.notScoredInThisPeriodItNeeds", { needs: metric.needs.join(", ") || t("common.otherScores") })
            )}
          </span>
        </span>
      ) : (
        <span className="score-cell family-mean">
          <strong className="number">{formatValue(figures.mean, metric)}</strong>
          <Meter
            value={figures.mean}
            scale={metric}
            threshold={metric.threshold}
            tone={toneOf(metric, figures.mean, metric.threshold)}
            label={t("common.mean")}
          />
        </span>
      ),
  },
  { id: "mean", label: t("common.mean"), value: ({ figures }) => figures?.mean },
  {
    id: "deviation",
    label: t("families.deviation"),
    isNumber: true,
    value: ({ figures }) => figures?.deviation,
    cell: ({ metric, figures }) =>
      figures?.deviation === null || figures?.deviation === undefined
        ? "–"
        : formatValue(figures.deviation, metric.unit === "bool" ? PLAIN : metric),
  },
  {
    id: "spread",
    label: t("families.lowestToHighest"),
    cell: ({ metric, figures }) =>
      figures?.count ? (
        <span className="number">
          {formatEnds([figures.minimum, figures.maximum], (value) => formatValue(value, metric))}
        </span>
      ) : (
        "–"
      ),
  },
  {
    id: "pass_rate",
    label: t("common.passed"),
    isNumber: true,
    value: ({ figures }) => figures?.pass_rate ?? null,
    cell: ({ figures }) => (figures?.judged ? formatShare(figures.pass_rate) : "–"),
  },
  {
    id: "count",
    label: t("common.scored"),
    isNumber: true,
    value: ({ figures }) => figures?.count ?? 0,
    cell: ({ figures }) => formatCount(figures?.count ?? 0),
  },
  {
    id: "missing",
    label: t("common.noScore"),
    isNumber: true,
    value: ({ figures }) => (figures?.missing ?? 0) + (figures?.errors ?? 0),
    cell: ({ figures }) => formatCount((figures?.missing ?? 0) + (figures?.errors ?? 0)),
  },
];
