import type { ComplianceEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { type Column, Table } from "../../components/ui/Table";

const COLUMNS: readonly Column<ComplianceEntry>[] = [
  {
    id: "title",
    label: "Policy pack",
    value: (pack) => pack.title,
    cell: (pack) => (
      <>
        <span dir="auto">{pack.title}</span> {pack.is_default && <Badge tone="accent">default</Badge>}
      </>
    ),
  },
  { id: "policy", label: "Name", value: (pack) => pack.policy, cell: (pack) => <code>{pack.policy}</code> },
  { id: "mode", label: "Mode", value: (pack) => pack.mode, cell: (pack) => <code>{pack.mode}</code> },
  { id: "jurisdiction", label: "Where", value: (pack) => pack.jurisdiction, cell: (pack) => pack.jurisdiction },
  { id: "date", label: "As of", value: (pack) => pack.date, cell: (pack) => <span className="number">{pack.date}</span> },
  { id: "source", label: "Source", isWide: true, value: (pack) => pack.source, cell: (pack) => <span dir="auto">{pack.source}</span> },
];

/** The laws that answers can be held against. */
export function Policies() {
  const packs = useAnswer("list_compliance_modes", {}, { isFixed: true });
  return (
    <Await answer={packs}>
      {(found) => (
        <>
          <p className="muted small">Policy packs come with the product and are read here. A profile names one under “policy”; a file of your own is given to the command line.</p>
          <Table caption="Policy packs" file="policies" columns={COLUMNS} rows={found} rowKey={(pack) => pack.policy} />
        </>
      )}
    </Await>
  );
}
