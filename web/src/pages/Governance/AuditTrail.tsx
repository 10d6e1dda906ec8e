import type { TurnEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { AuditTable } from "../../components/AuditTable";
import { Await } from "../../components/ui/Await";
import { formatMoment } from "../../lib/format";
import { t } from "../../lib/messages";
import { href, pathTo } from "../../lib/url";

/** What decided the card, and who did what with it since. */
export function AuditTrail({ turn }: { turn: TurnEntry }) {
  const me = useAnswer("get_me", {}, { isFixed: true });
  const isAdmin = me.data?.role === "admin";
  const audit = useAnswer("list_audit", isAdmin ? { subject: turn.test_id, limit: 50 } : null);
  const { card } = turn;
  const facts = [
    [t("governance.judged"), formatMoment(turn.timestamp, true)],
    [t("common.policy"), card.policy],
    [t("governance.signature"), card.signature],
    [t("governance.session"), card.session_id],
    [t("common.imputed"), card.imputed.join(", ") || t("governance.nothing")],
  ];
  return (
    <section aria-labelledby="audit">
      <div className="section-head">
        <h2 id="audit">{t("governance.auditTrail")}</h2>
        <a href={href(pathTo("/tests/:id", { id: turn.test_id }))} className="small">
          {t("governance.theSampleWithAllItsScores")}
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
              <AuditTable caption={t("governance.whatWasDoneWithThisAnswer")} page={page} />
            ) : (
              <p className="muted small">{t("governance.nothingWasDoneWithThisAnswer")}</p>
            )
          }
        </Await>
      ) : (
        <p className="muted small">{t("governance.whoDidWhatSinceIsShown")}</p>
      )}
    </section>
  );
}
