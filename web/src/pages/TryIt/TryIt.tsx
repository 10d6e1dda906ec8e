import { PageHead } from "../../components/PageHead";
import { Tabs } from "../../components/ui/Tabs";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { AFile } from "./AFile";
import { OneAnswer } from "./OneAnswer";
import "./try.css";

const TABS = [
  { id: "one", label: t("tryIt.oneAnswer") },
  { id: "file", label: t("tryIt.aFile") },
];

/** Scores of what is pasted or sent here. */
export function TryIt() {
  const [query, setQuery] = useQuery();
  const tab = query.tab === "file" ? "file" : "one";
  return (
    <>
      <PageHead title={t("page.tryIt")} note={t("tryIt.scoreOneAnswerNowOrA")} />
      <Tabs
        label={t("tryIt.whatToScore")}
        tabs={TABS}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "one" ? null : next })}
      >
        {tab === "one" ? <OneAnswer /> : <AFile />}
      </Tabs>
    </>
  );
}
