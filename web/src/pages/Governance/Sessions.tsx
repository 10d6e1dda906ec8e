import type { SessionEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Figure } from "../../components/Figure";
import { Await } from "../../components/ui/Await";
import { Chart } from "../../components/ui/Chart";
import { EmptyState } from "../../components/ui/EmptyState";
import { Meter } from "../../components/ui/Meter";
import { Radar } from "../../components/ui/Radar";
import { Select } from "../../components/ui/Select";
import { Status } from "../../components/ui/Status";
import { type Column, Table } from "../../components/ui/Table";
import { formatCount, formatMoment, formatScore, labelOf } from "../../lib/format";
import { IN_ENGLISH, t } from "../../lib/messages";
import { href, pathTo, useQuery } from "../../lib/url";
import { shownVerdict, toneOfScore } from "./bands";

const LIMIT = 50;
const SCORE = { unit: "", range: [0, 100] as const };
const PERIODS = [
  { value: "1", label: t("governance.lastHour") },
  { value: "24", label: t("governance.last24Hours") },
  { value: "168", label: t("governance.last7Days") },
  { value: "720", label: t("governance.last30Days") },
];

const COLUMNS: readonly Column<SessionEntry>[] = [
  {
    id: "query",
    label: t("common.query"),
    isWide: true,
    value: (session) => session.query,
    cell: (session) => (
      <a href={href(pathTo("/governance/:session", { session: session.session_id }), { turn: session.test_id })}>
        <span className="excerpt" dir="auto">
          {session.query || session.session_id}
        </span>
      </a>
    ),
  },
  {
    id: "verdict",
    label: t("common.verdict"),
    value: (session) => shownVerdict(session.verdict, session.has_unsupported_claims),
    cell: (session) => <Status word={shownVerdict(session.verdict, session.has_unsupported_claims)} />,
  },
  {
    id: "overall",
    label: t("common.overall"),
    value: (session) => session.overall_score,
    cell: (session) => (
      <span className="score-cell">
        <span className="number">{formatScore(session.overall_score)}</span>
        <Meter
          value={session.overall_score}
          scale={SCORE}
          label={t("common.overall")}
          tone={toneOfScore(session.overall_score)}
        />
      </span>
    ),
  },
  {
    id: "service",
    label: t("governance.service"),
    value: (session) => session.service_id,
    cell: (session) => <span dir="auto">{session.service_id}</span>,
  },
  {
    id: "session",
    label: t("governance.session"),
    value: (session) => session.session_id,
    cell: (session) => <span className="id">{session.session_id}</span>,
  },
  {
    id: "when",
    label: t("common.when"),
    value: (session) => session.timestamp,
    cell: (session) => <span className="number">{formatMoment(session.timestamp)}</span>,
  },
];

/** Judged answers, and what those of a service come to. */
export function Sessions() {
  const [query, setQuery] = useQuery();
  const offset = Number(query.offset) || 0;
  const hours = Number(query.hours) || undefined;
  const service = query.service || undefined;
  const services = useAnswer("list_services", {});
  const sessions = useAnswer("list_sessions", { service, hours, limit: LIMIT, offset }, { keeps: true, every: 10_000 });
  return (
    <div className="stack">
      <div className="filters">
        <Select
          label={t("governance.service")}
          all={t("common.all")}
          options={(services.data ?? []).map(({ id, sessions: count }) => ({
            value: id,
            label: `${id} (${formatCount(count)})`,
          }))}
          value={query.service ?? ""}
          onChange={(next) => setQuery({ service: next, offset: null })}
        />
        <Select
          label={t("governance.period")}
          all={t("governance.all")}
          options={PERIODS}
          value={query.hours ?? ""}
          onChange={(next) => setQuery({ hours: next, offset: null })}
        />
      </div>
      <Await answer={sessions}>
        {(page) =>
          page.total === 0 ? (
            <EmptyState title={t("governance.noJudgedAnswersHere")}>
              {service || hours ? t("governance.chooseAnotherServiceOrALonger") : t("governance.judgeOneOnTheOtherTab")}
            </EmptyState>
          ) : (
            <div className="stack">
              <Summary service={service} hours={hours} />
              <Table
                caption={t("governance.judgedAnswers")}
                file="sessions"
                columns={COLUMNS}
                rows={page.items}
                rowKey={(session) => session.test_id}
                paging={{
                  total: page.total,
                  limit: LIMIT,
                  offset,
                  onMove: (next) => setQuery({ offset: next || null }, false),
                }}
              />
            </div>
          )
        }
      </Await>
    </div>
  );
}

function Summary({ service, hours }: { service?: string; hours?: number }) {
  const all = useAnswer("get_governance_summary", service ? null : { hours }, { keeps: true });
  const one = useAnswer("get_service_stats", service ? { service_id: service, hours } : null, { keeps: true });
  return (
    <Await answer={service ? one : all}>
      {(stats) => (
        <div className="columns">
          <div className="figures">
            <Figure
              label={t("common.overall")}
              value={formatScore(stats.overall.mean)}
              trend={<Status word={stats.verdict} />}
              note={[
                t("governance.meanOf", { count: stats.overall.count }),
                ...(stats.overall.deviation === null
                  ? []
                  : [t("governance.deviation", { deviation: formatScore(stats.overall.deviation) })]),
              ].join(", ")}
            >
              <Meter
                value={stats.overall.mean}
                scale={SCORE}
                label={t("common.overall")}
                tone={toneOfScore(stats.overall.mean)}
              />
            </Figure>
            <Figure
              label={t("governance.lowest")}
              value={formatScore(stats.overall.minimum)}
              note={t("governance.highest", { maximum: formatScore(stats.overall.maximum) })}
            />
            <Figure label={t("governance.judgedAnswers")} value={formatCount(stats.sessions)} />
          </div>
          <Chart title={t("common.dimensions")} note={t("governance.means0To100")} file="dimensions">
            <Radar
              axes={Object.entries(stats.dimensions).map(([name, figures]) => ({
                label: labelOf(name),
                score: figures.mean,
                reason: figures.reason && <span {...IN_ENGLISH}>{figures.reason}</span>,
              }))}
            />
          </Chart>
        </div>
      )}
    </Await>
  );
}
