import type { AuditEntry, PageOfAuditEntry } from "../api/generated/schema";
import { formatMoment } from "../lib/format";
import { t } from "../lib/messages";
import { type Column, Table } from "./ui/Table";

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: "created",
    label: t("common.when"),
    value: (entry) => entry.created,
    cell: (entry) => <span className="number">{formatMoment(entry.created, true)}</span>,
  },
  {
    id: "actor",
    label: t("shared.who"),
    value: (entry) => entry.actor,
    cell: (entry) => <span dir="auto">{entry.actor}</span>,
  },
  { id: "action", label: t("shared.what"), value: (entry) => entry.action, cell: (entry) => words(entry.action) },
  {
    id: "subject",
    label: t("shared.of"),
    value: (entry) => entry.subject,
    cell: (entry) => <code dir="auto">{entry.subject}</code>,
  },
  {
    id: "details",
    label: t("shared.details"),
    isWide: true,
    value: (entry) => JSON.stringify(entry.details),
    cell: (entry) => <span dir="auto">{detailsText(entry.details)}</span>,
  },
];

/** Who did what and when. */
export function AuditTable({
  caption,
  page,
  onMove,
}: {
  caption: string;
  page: PageOfAuditEntry;
  onMove?: (offset: number) => void;
}) {
  return (
    <Table
      caption={caption}
      file="audit"
      columns={COLUMNS}
      rows={page.items}
      rowKey={(entry) => String(entry.id)}
      paging={onMove && { total: page.total, limit: page.limit, offset: page.offset, onMove }}
    />
  );
}

const words = (action: string) => action.replaceAll(".", " ").replaceAll("_", " ");

function detailsText(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
}
