import { useAnswer } from "../../api/use-answer";
import { Choice } from "../../components/ui/Choice";
import { Checkbox, TextField } from "../../components/ui/Field";
import { Select } from "../../components/ui/Select";
import { useQuery } from "../../lib/url";
import { NUMBERS, type NumberName, type OptionsDraft, problemsOf, SWITCHES, type SwitchName } from "./options";

const DEPTHS = [
  { value: "top", label: "Top level" },
  { value: "nested", label: "All that is inside" },
];
const ALIGNMENTS = [
  { value: "order", label: "by their place" },
  { value: "best", label: "the most similar" },
  { value: "key", label: "by a key" },
];
const DATES = [
  { value: "ymd", label: "year, month, day" },
  { value: "dmy", label: "day, month, year" },
  { value: "mdy", label: "month, day, year" },
];
const SCOPES = [
  { value: "accuracy", label: "accuracy alone" },
  { value: "all", label: "every score" },
];
const VACUOUS = [
  { value: "one", label: "1" },
  { value: "zero", label: "0" },
  { value: "none", label: "no score" },
];

/** How documents are compared: the strategies of fields and the choices for the whole. */
export function OptionsForm({ draft, onChange }: { draft: OptionsDraft; onChange: (draft: OptionsDraft) => void }) {
  const [query, setQuery] = useQuery();
  const sets = useAnswer("list_strategies", {});
  const set = (changes: Partial<OptionsDraft>) => onChange({ ...draft, ...changes });
  const problems = problemsOf(draft);
  return (
    <div className="form">
      <div className="form-row">
        <div className="field">
          <span className="field-label" aria-hidden="true">
            Fields
          </span>
          <Choice
            label="Fields"
            options={DEPTHS}
            value={draft.depth}
            onChange={(depth) => set({ depth: depth as OptionsDraft["depth"] })}
          />
        </div>
        <Select
          label="Field strategies"
          all="by the type of each value"
          options={(sets.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          value={query.strategies ?? ""}
          onChange={(strategies) => setQuery({ strategies })}
        />
        <Select
          label="List items are matched by"
          options={ALIGNMENTS}
          value={draft.list_alignment}
          onChange={(list_alignment) => set({ list_alignment: list_alignment as OptionsDraft["list_alignment"] })}
        />
        {draft.list_alignment === "key" && (
          <TextField
            label="Key"
            value={draft.list_key}
            maxLength={200}
            onChange={(list_key) => set({ list_key })}
            problem={problems.list_key}
          />
        )}
        <Checkbox label="Mend damaged output" isChecked={draft.repair} onChange={(repair) => set({ repair })} />
      </div>
      <details className="more" open={Object.keys(problems).some((name) => name !== "list_key") || undefined}>
        <summary>More choices</summary>
        <div className="form">
          <div className="field-grid">
            {(Object.keys(NUMBERS) as NumberName[]).map((name) => (
              <TextField
                key={name}
                label={NUMBERS[name].label}
                inputMode="decimal"
                placeholder="default"
                value={draft.numbers[name]}
                onChange={(text) => set({ numbers: { ...draft.numbers, [name]: text } })}
                problem={problems[name]}
              />
            ))}
          </div>
          <div className="form-row">
            <Select
              label="Dates are read as"
              all="text"
              options={DATES}
              value={draft.date}
              onChange={(date) => set({ date: date as OptionsDraft["date"] })}
            />
            <Select
              label="IGNORE leaves a field out of"
              options={SCOPES}
              value={draft.ignore_scope}
              onChange={(scope) => set({ ignore_scope: scope as OptionsDraft["ignore_scope"] })}
            />
            <Select
              label="Accuracy without any field"
              options={VACUOUS}
              value={draft.vacuous_accuracy}
              onChange={(vacuous) => set({ vacuous_accuracy: vacuous as OptionsDraft["vacuous_accuracy"] })}
            />
          </div>
          <div className="checks">
            {(Object.keys(SWITCHES) as SwitchName[]).map((name) => (
              <Checkbox
                key={name}
                label={SWITCHES[name]}
                isChecked={draft.switches[name]}
                onChange={(is) => set({ switches: { ...draft.switches, [name]: is } })}
              />
            ))}
          </div>
        </div>
      </details>
    </div>
  );
}
