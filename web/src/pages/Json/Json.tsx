import { PageHead } from "../../components/PageHead";
import { StrategyEditor } from "../../components/StrategyEditor";
import { Tabs } from "../../components/ui/Tabs";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { BatchTab } from "./BatchTab";
import { CompareTab } from "./CompareTab";
import { PairsTab } from "./PairsTab";
import "./json.css";

const TABS = [
  { id: "compare", label: t("json.compareTwo") },
  { id: "batch", label: t("json.rankSeveral") },
  { id: "file", label: t("json.aFileOfPairs") },
  { id: "strategies", label: t("common.fieldStrategies") },
];

/** JSON outputs beside their ground truth. */
export function Json() {
  const [query, setQuery] = useQuery();
  const tab = TABS.some(({ id }) => id === query.tab) ? query.tab! : "compare";
  return (
    <>
      <PageHead title="JSON" note={t("json.isAnOutputTheDocumentThat")} />
      <Tabs
        label={t("json.whatToDo")}
        tabs={TABS}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "compare" ? null : next, version: null })}
      >
        {tab === "compare" && <CompareTab />}
        {tab === "batch" && <BatchTab />}
        {tab === "file" && <PairsTab />}
        {tab === "strategies" && <StrategyEditor />}
      </Tabs>
    </>
  );
}
