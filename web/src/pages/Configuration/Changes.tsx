import { useAnswer } from "../../api/use-answer";
import { AuditTable } from "../../components/AuditTable";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Select } from "../../components/ui/Select";
import { useQuery } from "../../lib/url";

const LIMIT = 50;
const KINDS = [
  { value: "profile.", label: "profiles" },
  { value: "strategies.", label: "field strategies" },
  { value: "targets.", label: "targets" },
  { value: "feedback.", label: "feedback" },
  { value: "job.", label: "jobs" },
  { value: "key.", label: "keys" },
  { value: "run.", label: "runs" },
  { value: "upload.", label: "uploads" },
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
      <EmptyState title="For administrators">
        The history of one profile or one set of strategies is shown beside it.
      </EmptyState>
    );
  return (
    <div className="form">
      <div className="filters">
        <Select
          label="Changes of"
          all="everything"
          options={KINDS}
          value={query.action ?? ""}
          onChange={(action) => setQuery({ action, offset: null })}
        />
      </div>
      <Await answer={audit}>
        {(page) =>
          page.total ? (
            <AuditTable caption="Changes" page={page} onMove={(next) => setQuery({ offset: next || null }, false)} />
          ) : (
            <EmptyState title="Nothing was changed yet">
              Changes of profiles, strategies, targets, keys and feedback appear here.
            </EmptyState>
          )
        }
      </Await>
    </div>
  );
}
