import { useReport } from "../api/source";
import { useAnswer } from "../api/use-answer";
import { t } from "../lib/messages";
import { useQuery } from "../lib/url";
import { Choice } from "./ui/Choice";
import { Select } from "./ui/Select";

const RANGES = [
  { value: "1", label: t("scope.hour") },
  { value: "24", label: t("scope.day") },
  { value: "168", label: t("scope.week") },
  { value: "720", label: t("scope.month") },
  { value: "", label: t("common.all") },
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
        label={t("shared.timeRange")}
        options={RANGES}
        value={query.hours ?? ""}
        onChange={(hours) => setQuery({ hours }, false)}
      />
      <Select
        label={t("common.run")}
        all={t("shared.allRuns")}
        options={options}
        value={query.run ?? ""}
        onChange={(run) => setQuery({ run }, false)}
      />
    </div>
  );
}
