import type { SettingEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { type Column, Table } from "../../components/ui/Table";

const text = (value: unknown) =>
  value === null || value === undefined || value === "" ? "" : Array.isArray(value) ? value.join(", ") : String(value);

const COLUMNS: readonly Column<SettingEntry>[] = [
  {
    id: "name",
    label: "Setting",
    value: (setting) => setting.name,
    cell: (setting) => (
      <>
        <code>{setting.name}</code>
        <span className="tiny muted block">{setting.group}</span>
      </>
    ),
  },
  {
    id: "value",
    label: "Value",
    value: (setting) => text(setting.value),
    cell: (setting) => (
      <span dir="auto" className={text(setting.value) === text(setting.default) ? "" : "changed"}>
        {text(setting.value) || <span className="muted">not set</span>}
      </span>
    ),
  },
  {
    id: "default",
    label: "Default",
    value: (setting) => text(setting.default),
    cell: (setting) => <span className="muted">{text(setting.default) || "not set"}</span>,
  },
  { id: "source", label: "From", value: (setting) => setting.source, cell: (setting) => setting.source },
  {
    id: "help",
    label: "What it does",
    isWide: true,
    value: (setting) => setting.help,
    cell: (setting) => setting.help,
  },
];

/** What the server was started with; read here, set in its file, environment or options. */
export function Settings() {
  const settings = useAnswer("list_settings", {});
  return (
    <Await answer={settings}>
      {(found) => (
        <>
          <p className="muted small">
            These are set where the server is started: in assay.toml, in the environment or as options. Secrets are not
            shown.
          </p>
          <Table
            caption="Settings"
            file="settings"
            columns={COLUMNS}
            rows={found}
            rowKey={(setting) => setting.name}
            sortName="sort"
          />
        </>
      )}
    </Await>
  );
}
