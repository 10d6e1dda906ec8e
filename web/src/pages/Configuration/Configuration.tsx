import { PageHead } from "../../components/PageHead";
import { StrategyEditor } from "../../components/StrategyEditor";
import { Tabs } from "../../components/ui/Tabs";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { Changes } from "./Changes";
import { Policies } from "./Policies";
import { Presets } from "./Presets";
import { Profiles } from "./Profiles";
import { Settings } from "./Settings";
import { TargetsEditor } from "./TargetsEditor";
import "./configuration.css";

const TABS = [
  { id: "profiles", label: t("configuration.thresholdsAndProfiles"), show: Profiles },
  { id: "targets", label: t("configuration.targetsTitle"), show: TargetsEditor },
  { id: "presets", label: t("configuration.presetsAndWeights"), show: Presets },
  { id: "strategies", label: t("common.fieldStrategies"), show: StrategyEditor },
  { id: "policies", label: t("configuration.policyPacks"), show: Policies },
  { id: "settings", label: t("configuration.settings"), show: Settings },
  { id: "changes", label: t("configuration.changes"), show: Changes },
];

/** What a team has chosen: checked by the server, with every version kept. */
export function Configuration() {
  const [query, setQuery] = useQuery();
  const tab = TABS.find(({ id }) => id === query.tab) ?? TABS[0]!;
  return (
    <>
      <PageHead title={t("page.configuration")} note={t("configuration.everyChangeIsValidatedByThe")} />
      <Tabs
        label={t("configuration.configurationSections")}
        tabs={TABS}
        chosen={tab.id}
        onChoose={(next) => setQuery({ tab: next === TABS[0]!.id ? null : next, version: null })}
      >
        <tab.show />
      </Tabs>
    </>
  );
}
