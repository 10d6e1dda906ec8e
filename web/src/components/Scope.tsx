import { useReport } from "../api/source";
import { useAnswer } from "../api/use-answer";
import { useQuery } from "../lib/url";
import { Choice } from "./ui/Choice";
import { Select } from "./ui/Select";

const RANGES = [
  { value: "1", label: "1 h" },
  { value: "24", label: "24 h" },
  { value: "168", label: "7 d" },
  { value: "720", label: "30 d" },
  { value: "", label: "All" },
];

/** The time range and the run that the figures are about, as kept in the address; a report has one run. */
export function useScope(): { hours?: number; run?: string } {
  const report = useReport();
  const [query] = useQuery();
  if (report) return { run: report.run };
  const hours = Number(query.hours);
  return { hours: hours >= 1 && Number.isInteger(hours) ? hours : undefined, run: query.run || undefined };
}

export function Scope() {
  const [query, setQuery] = useQuery();
  const runs = useAnswer("list_runs", { limit: 100 });
  const options = (runs.data?.items ?? []).map((run) => ({ value: run.name, label: run.name }));
  return (
    <div className="scope">
      <Choice
        label="Time range"
        options={RANGES}
        value={query.hours ?? ""}
        onChange={(hours) => setQuery({ hours }, false)}
      />
      <Select
        label="Run"
        all="All runs"
        options={options}
        value={query.run ?? ""}
        onChange={(run) => setQuery({ run }, false)}
      />
    </div>
  );
}
