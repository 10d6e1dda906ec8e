import type { TurnEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { AuditTable } from "../../components/AuditTable";
import { Await } from "../../components/ui/Await";
import { formatMoment } from "../../lib/format";
import { href, pathTo } from "../../lib/url";

/** What decided the card, and who did what with it since. */
export function AuditTrail({ turn }: { turn: TurnEntry }) {
  const me = useAnswer("get_me", {}, { isFixed: true });
  const isAdmin = me.data?.role === "admin";
  const audit = useAnswer("list_audit", isAdmin ? { subject: turn.test_id, limit: 50 } : null);
  const { card } = turn;
  const facts = [
    ["Judged", formatMoment(turn.timestamp, true)],
    ["Policy", card.policy],
    ["Signature", card.signature],
    ["Session", card.session_id],
    ["Imputed", card.imputed.join(", ") || "nothing"],
  ];
  return (
    <section aria-labelledby="audit">
      <div className="section-head">
        <h2 id="audit">Audit trail</h2>
        <a href={href(pathTo("/tests/:id", { id: turn.test_id }))} className="small">
          the sample with all its scores
        </a>
      </div>
      <dl className="audit-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {isAdmin ? (
        <Await answer={audit}>
          {(page) =>
            page.items.length ? (
              <AuditTable caption="What was done with this answer" page={page} />
            ) : (
              <p className="muted small">Nothing was done with this answer since.</p>
            )
          }
        </Await>
      ) : (
        <p className="muted small">Who did what since is shown to administrators.</p>
      )}
    </section>
  );
}
