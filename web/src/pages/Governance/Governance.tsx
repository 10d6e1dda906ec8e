import { PageHead } from "../../components/PageHead";
import { Tabs } from "../../components/ui/Tabs";
import { useQuery } from "../../lib/url";
import { JudgeForm } from "./JudgeForm";
import { Sessions } from "./Sessions";
import "./governance.css";

const TABS = [
  { id: "judge", label: "Judge an answer" },
  { id: "sessions", label: "Judged answers" },
];

/** Answers judged in nine dimensions. */
export function Governance() {
  const [query, setQuery] = useQuery();
  const tab = query.tab === "sessions" ? "sessions" : "judge";
  return (
    <>
      <PageHead title="Governance" note="Nine dimensions, from fairness to cost, and a verdict that says why." />
      <Tabs
        label="What to look at"
        tabs={TABS}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "judge" ? null : next })}
      >
        {tab === "judge" ? <JudgeForm /> : <Sessions />}
      </Tabs>
    </>
  );
}
