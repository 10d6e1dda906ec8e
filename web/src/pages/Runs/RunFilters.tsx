import { useCallback } from "react";
import type { RunEntry } from "../../api/generated/schema";
import { SearchField } from "../../components/ui/SearchField";
import { Select } from "../../components/ui/Select";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";

const option = (value: string) => ({ value, label: value });

export function RunFilters({ runs }: { runs: readonly RunEntry[] }) {
  const [query, setQuery] = useQuery();
  const states = [...new Set(runs.map((run) => run.status))].sort();
  const tags = [...new Set(runs.flatMap((run) => run.tags))].sort();
  const search = useCallback((text: string) => setQuery({ text }), [setQuery]);
  return (
    <div className="filters">
      <SearchField label={t("common.find")} value={query.text ?? ""} onChange={search} />
      <Select
        label={t("common.state")}
        all={t("common.any")}
        options={states.map(option)}
        value={query.status ?? ""}
        onChange={(status) => setQuery({ status })}
      />
      {tags.length > 0 && (
        <Select
          label={t("common.tag")}
          all={t("common.any")}
          options={tags.map(option)}
          value={query.tag ?? ""}
          onChange={(tag) => setQuery({ tag })}
        />
      )}
    </div>
  );
}
