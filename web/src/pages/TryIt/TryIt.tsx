import { PageHead } from "../../components/PageHead";
import { Tabs } from "../../components/ui/Tabs";
import { useQuery } from "../../lib/url";
import { AFile } from "./AFile";
import { OneAnswer } from "./OneAnswer";
import "./try.css";

const TABS = [
  { id: "one", label: "One answer" },
  { id: "file", label: "A file" },
];

/** Scores of what is pasted or sent here. */
export function TryIt() {
  const [query, setQuery] = useQuery();
  const tab = query.tab === "file" ? "file" : "one";
  return (
    <>
      <PageHead title="Try it" note="Score one answer now, or a whole file in the background." />
      <Tabs
        label="What to score"
        tabs={TABS}
        chosen={tab}
        onChoose={(next) => setQuery({ tab: next === "one" ? null : next })}
      >
        {tab === "one" ? <OneAnswer /> : <AFile />}
      </Tabs>
    </>
  );
}
