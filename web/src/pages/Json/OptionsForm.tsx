import { useAnswer } from "../../api/use-answer";
import { Choice } from "../../components/ui/Choice";
import { Checkbox, TextField } from "../../components/ui/Field";
import { Select } from "../../components/ui/Select";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { NUMBERS, type NumberName, type OptionsDraft, problemsOf, SWITCHES, type SwitchName } from "./options";

const DEPTHS = [
  { value: "top", label: t("json.topLevel") },
  { value: "nested", label: t("json.allThatIsInside") },
];
const ALIGNMENTS = [
  { value: "order", label: t("common.byTheirPlace") },
  { value: "best", label: t("common.theMostSimilar") },
  { value: "key", label: t("common.byAKey") },
];
const DATES = [
  { value: "ymd", label: t("common.yearMonthDay") },
  { value: "dmy", label: t("common.dayMonthYear") },
  { value: "mdy", label: t("common.monthDayYear") },
];
const SCOPES = [
  { value: "accuracy", label: t("json.accuracyAlone") },
  { value: "all", label: t("json.everyScore") },
];
const VACUOUS = [
  { value: "one", label: "1" },
  { value: "zero", label: "0" },
  { value: "none", label: t("json.noScore") },
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
            {t("json.fields")}
          </span>
          <Choice
            label={t("json.fields")}
            options={DEPTHS}
            value={draft.depth}
            onChange={(depth) => set({ depth: depth as OptionsDraft["depth"] })}
          />
        </div>
        <Select
          label={t("common.fieldStrategies")}
          all={t("json.byTheTypeOfEachValue")}
          options={(sets.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          value={query.strategies ?? ""}
          onChange={(strategies) => setQuery({ strategies })}
        />
        <Select
          label={t("common.listItemsAreMatchedBy")}
          options={ALIGNMENTS}
          value={draft.list_alignment}
          onChange={(list_alignment) => set({ list_alignment: list_alignment as OptionsDraft["list_alignment"] })}
        />
        {draft.list_alignment === "key" && (
          <TextField
            label={t("common.key")}
            value={draft.list_key}
            maxLength={200}
            onChange={(list_key) => set({ list_key })}
            problem={problems.list_key}
          />
        )}
        <Checkbox label={t("json.mendDamagedOutput")} isChecked={draft.repair} onChange={(repair) => set({ repair })} />
      </div>
      <details className="more" open={Object.keys(problems).some((name) => name !== "list_key") || undefined}>
        <summary>{t("json.moreChoices")}</summary>
        <div className="form">
          <div className="field-grid">
            {(Object.keys(NUMBERS) as NumberName[]).map((name) => (
              <TextField
                key={name}
                label={NUMBERS[name].label}
                inputMode="decimal"
                placeholder={t("json.default")}
                value={draft.numbers[name]}
                onChange={(text) => set({ numbers: { ...draft.numbers, [name]: text } })}
                problem={problems[name]}
              />
            ))}
          </div>
          <div className="form-row">
            <Select
              label={t("common.datesAreReadAs")}
              all={t("json.text")}
              options={DATES}
              value={draft.date}
              onChange={(date) => set({ date: date as OptionsDraft["date"] })}
            />
            <Select
              label={t("json.ignoreLeavesAFieldOutOf")}
              options={SCOPES}
              value={draft.ignore_scope}
              onChange={(scope) => set({ ignore_scope: scope as OptionsDraft["ignore_scope"] })}
            />
            <Select
              label={t("json.accuracyWithoutAnyField")}
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
