import { useAnswer } from "../../api/use-answer";
import { AuditTable } from "../../components/AuditTable";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Select } from "../../components/ui/Select";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";

const LIMIT = 50;
const KINDS = [
  { value: "profile.", label: t("configuration.profiles") },
  { value: "strategies.", label: t("configuration.fieldStrategies") },
  { value: "targets.", label: t("configuration.targets") },
  { value: "feedback.", label: t("configuration.feedback") },
  { value: "job.", label: t("configuration.jobs") },
  { value: "key.", label: t("configuration.keys") },
  { value: "run.", label: t("common.runs") },
  { value: "upload.", label: t("configuration.uploads") },
];

/** The history of all changes: who, what, when. */
export function Changes() {
  const [query, setQuery] = useQuery();
  const offset = Number(query.offset) || 0;
  const me = useAnswer("get_me", {}, { isFixed: true });
  const isAdmin = me.data?.role === "admin";
  const audit = useAnswer("list_audit", isAdmin ? { action: query.action, limit: LIMIT, offset } : null, {
    keeps: true,
  });
  if (me.data && !isAdmin)
    return (
      <EmptyState title={t("configuration.forAdministrators")}>
        {t("configuration.theHistoryOfOneProfileOr")}
      </EmptyState>
    );
  return (
    <div className="form">
      <div className="filters">
        <Select
          label={t("configuration.changesOf")}
          all={t("configuration.everything")}
          options={KINDS}
          value={query.action ?? ""}
          onChange={(action) => setQuery({ action, offset: null })}
        />
      </div>
      <Await answer={audit}>
        {(page) =>
          page.total ? (
            <AuditTable
              caption={t("configuration.changes")}
              page={page}
              onMove={(next) => setQuery({ offset: next || null }, false)}
            />
          ) : (
            <EmptyState title={t("configuration.nothingWasChangedYet")}>
              {t("configuration.changesOfProfilesStrategiesTargets")}
            </EmptyState>
          )
        }
      </Await>
    </div>
  );
}
