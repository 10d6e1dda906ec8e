import { PageHead } from "../../components/PageHead";
import { Tabs } from "../../components/ui/Tabs";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { JudgeForm } from "./JudgeForm";
import { Sessions } from "./Sessions";
import "./governance.css";

const TABS = [
  { id: "judge", label: t("governance.judgeAnAnswer") },
  { id: "sessions", label: t("governance.judgedAnswers") },
];

/** Answers judged in nine dimensions. */
export function Governance() {
  const [query, setQuery] = useQuery();
  const tab = query.tab === "sessions" ? "sessions" : "judge";
  return (
    <>
      <PageHead title={t("page.governance")} note={t("governance.nineDimensionsFromFairnessToCost")} />
      <Tabs
        label={t("governance.whatToLookAt")}
        tabs={TABS}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "judge" ? null : next })}
      >
        {tab === "judge" ? <JudgeForm /> : <Sessions />}
      </Tabs>
    </>
  );
}
