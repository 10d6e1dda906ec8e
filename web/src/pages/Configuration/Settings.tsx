import type { SettingEntry } from "../../api/generated/schema";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { type Column, Table } from "../../components/ui/Table";
import { IN_ENGLISH, t } from "../../lib/messages";

const text = (value: unknown) =>
  value === null || value === undefined || value === "" ? "" : Array.isArray(value) ? value.join(", ") : String(value);

const COLUMNS: readonly Column<SettingEntry>[] = [
  {
    id: "name",
    label: t("configuration.setting"),
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
    label: t("common.value"),
    value: (setting) => text(setting.value),
    cell: (setting) => (
      <span dir="auto" className={text(setting.value) === text(setting.default) ? "" : "changed"}>
        {text(setting.value) || <span className="muted">{t("configuration.notSet")}</span>}
      </span>
    ),
  },
  {
    id: "default",
    label: t("configuration.default"),
    value: (setting) => text(setting.default),
    cell: (setting) => <span className="muted">{text(setting.default) || t("configuration.notSet")}</span>,
  },
  {
    id: "source",
    label: t("configuration.from"),
    value: (setting) => setting.source,
    cell: (setting) => setting.source,
  },
  {
    id: "help",
    label: t("configuration.whatItDoes"),
    isWide: true,
    value: (setting) => setting.help,
    cell: (setting) => <span {...IN_ENGLISH}>{setting.help}</span>,
  },
];

/** What the server was started with; read here, set in its file, environment or options. */
export function Settings() {
  const settings = useAnswer("list_settings", {});
  return (
    <Await answer={settings}>
      {(found) => (
        <>
          <p className="muted small">{t("configuration.theseAreSetWhereTheServer")}</p>
          <Table
            caption={t("configuration.settings")}
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
