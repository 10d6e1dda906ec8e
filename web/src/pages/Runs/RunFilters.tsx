import { useCallback } from "react";
import type { RunEntry } from "../../api/generated/schema";
import { SearchField } from "../../components/ui/SearchField";
import { Select } from "../../components/ui/Select";
import { useQuery } from "../../lib/url";

const option = (value: string) => ({ value, label: value });

export function RunFilters({ runs }: { runs: readonly RunEntry[] }) {
  const [query, setQuery] = useQuery();
  const states = [...new Set(runs.map((run) => run.status))].sort();
  const tags = [...new Set(runs.flatMap((run) => run.tags))].sort();
  const search = useCallback((text: string) => setQuery({ text }), [setQuery]);
  return (
    <div className="filters">
      <SearchField label="Find" value={query.text ?? ""} onChange={search} />
      <Select
        label="State"
        all="Any"
        options={states.map(option)}
        value={query.status ?? ""}
        onChange={(status) => setQuery({ status })}
      />
      {tags.length > 0 && (
        <Select
          label="Tag"
          all="Any"
          options={tags.map(option)}
          value={query.tag ?? ""}
          onChange={(tag) => setQuery({ tag })}
        />
      )}
    </div>
  );
}
