import type { SessionAnswer, TurnEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { PageHead } from "../../components/PageHead";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { Select } from "../../components/ui/Select";
import { Status } from "../../components/ui/Status";
import { formatMoment, formatScore } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { href, useQuery } from "../../lib/url";
import type { PageProps } from "../../routes";
import { AuditTrail } from "./AuditTrail";
import { shownVerdict } from "./bands";
import { Card } from "./Card";
import { Feedback } from "./Feedback";
import "./governance.css";

/** One session: the scorecard of an answer, its evidence, and what people said of it. */
export function Session({ params }: PageProps) {
  const answer = useAnswer("get_session", { session_id: params.session ?? "" });
  return <Await answer={answer}>{(session) => <SessionBoard session={session} onChange={answer.reload} />}</Await>;
}

function SessionBoard({ session, onChange }: { session: SessionAnswer; onChange: () => void }) {
  const [query, setQuery] = useQuery();
  const turn = session.turns.find(({ test_id }) => test_id === query.turn) ?? session.turns[0]!;
  const { card } = turn;
  const verdict = shownVerdict(card.verdict, (card.hallucinated_claims ?? 0) > 0);
  return (
    <>
      <PageHead
        title={t("page.scorecard")}
        note={rich("governance.sessionLine", {
          part: <span className="id">{session.session_id}</span>,
          value: session.service_id && (
            <> {rich("governance.ofService", { part: <span dir="auto">{session.service_id}</span> })}</>
          ),
          timestamp: formatMoment(turn.timestamp, true),
        })}
      >
        <strong className="overall number">{formatScore(card.overall_score)}</strong>
        <Status word={verdict} />
        {verdict !== card.verdict && (
          <span className="small">
            {t("governance.claimsWithoutDocument", { count: card.hallucinated_claims ?? 0 })}
          </span>
        )}
        {card.imputed.length > 0 && (
          <Badge tone="warn">{t("governance.valuesImputed", { imputed: card.imputed.length })}</Badge>
        )}
        <span className="push">
          {session.total > 1 && <Turns session={session} turn={turn} onChoose={(id) => setQuery({ turn: id })} />}
          <a className="button" href={href("/governance", { tab: "sessions" })}>
            {t("governance.allSessions")}
          </a>
        </span>
      </PageHead>
      <div className="stack">
        <Card key={turn.test_id} turn={turn} />
        <Feedback
          key={`feedback-${turn.test_id}`}
          turn={turn}
          said={session.feedback.filter(({ test_id }) => test_id === turn.test_id)}
          onChange={onChange}
        />
        <AuditTrail key={JSON.stringify(session.feedback)} turn={turn} />
      </div>
    </>
  );
}

function Turns({
  session,
  turn,
  onChoose,
}: {
  session: SessionAnswer;
  turn: TurnEntry;
  onChoose: (id: string) => void;
}) {
  const options = session.turns.map((one) => ({
    value: one.test_id,
    label: `${formatMoment(one.timestamp, true)} · ${formatScore(one.card.overall_score)}`,
  }));
  return (
    <Select
      label={t("governance.answerOf", { total: session.total })}
      options={options}
      value={turn.test_id}
      onChange={onChoose}
    />
  );
}
