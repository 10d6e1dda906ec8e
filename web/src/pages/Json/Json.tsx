import { PageHead } from "../../components/PageHead";
import { StrategyEditor } from "../../components/StrategyEditor";
import { Tabs } from "../../components/ui/Tabs";
import { useQuery } from "../../lib/url";
import { BatchTab } from "./BatchTab";
import { CompareTab } from "./CompareTab";
import { PairsTab } from "./PairsTab";
import "./json.css";

const TABS = [
  { id: "compare", label: "Compare two" },
  { id: "batch", label: "Rank several" },
  { id: "file", label: "A file of pairs" },
  { id: "strategies", label: "Field strategies" },
];

/** JSON outputs beside their ground truth. */
export function Json() {
  const [query, setQuery] = useQuery();
  const tab = TABS.some(({ id }) => id === query.tab) ? query.tab! : "compare";
  return (
    <>
      <PageHead
        title="JSON"
        note="Is an output the document that it should be? Field by field, each by its own strategy."
      />
      <Tabs
        label="What to do"
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
