import { PageHead } from "../../components/PageHead";
import { StrategyEditor } from "../../components/StrategyEditor";
import { Tabs } from "../../components/ui/Tabs";
import { useQuery } from "../../lib/url";
import { Changes } from "./Changes";
import { Policies } from "./Policies";
import { Presets } from "./Presets";
import { Profiles } from "./Profiles";
import { Settings } from "./Settings";
import { TargetsEditor } from "./TargetsEditor";
import "./configuration.css";

const TABS = [
  { id: "profiles", label: "Thresholds and profiles", show: Profiles },
  { id: "targets", label: "Targets", show: TargetsEditor },
  { id: "presets", label: "Presets and weights", show: Presets },
  { id: "strategies", label: "Field strategies", show: StrategyEditor },
  { id: "policies", label: "Policy packs", show: Policies },
  { id: "settings", label: "Settings", show: Settings },
  { id: "changes", label: "Changes", show: Changes },
];

/** What a team has chosen: checked by the server, with every version kept. */
export function Configuration() {
  const [query, setQuery] = useQuery();
  const tab = TABS.find(({ id }) => id === query.tab) ?? TABS[0]!;
  return (
    <>
      <PageHead
        title="Configuration"
        note="Every change is validated by the server and stored as a new version, with its author and time."
      />
      <Tabs
        label="Configuration sections"
        tabs={TABS}
        chosen={tab.id}
        onChoose={(next) => setQuery({ tab: next === TABS[0]!.id ? null : next, version: null })}
      >
        <tab.show />
      </Tabs>
    </>
  );
}
