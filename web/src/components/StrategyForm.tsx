import { type FormEvent, useEffect, useRef, useState } from "react";
import {
  draftOf,
  EMPTY_DRAFT,
  entryOf,
  numberProblem,
  STRATEGIES,
  STRATEGY_WORDS,
  type StrategyDraft,
  type StrategyEntry,
  SWITCHES,
} from "../lib/strategies";
import { Button } from "./ui/Button";
import { TextField } from "./ui/Field";
import { Select } from "./ui/Select";

const YES_NO = ["yes", "no"].map((value) => ({ value, label: value }));
const DATES = [
  { value: "ymd", label: "year, month, day" },
  { value: "dmy", label: "day, month, year" },
  { value: "mdy", label: "month, day, year" },
];
const ALIGNMENTS = [
  { value: "order", label: "by their place" },
  { value: "best", label: "the most similar" },
  { value: "key", label: "by a key" },
];
const LABELS: Readonly<Record<string, string>> = {
  list_order_matters: "List order matters",
  number_without_units: "Numbers without units",
  ignore_case: "Ignore case",
  ignore_whitespace: "Ignore whitespace",
};

interface StrategyFormProps {
  /** The field that is edited; without it a new one is added. */
  edited?: { field: string; entry: unknown };
  isBusy: boolean;
  problem: string;
  onSave: (field: string, entry: StrategyEntry) => Promise<boolean>;
  onCancel: () => void;
}

/** Adds the strategy of a field, or changes it with all its options. */
export function StrategyForm({ edited, isBusy, problem, onSave, onCancel }: StrategyFormProps) {
  const [draft, setDraft] = useState<StrategyDraft>(EMPTY_DRAFT);
  const [isTried, setTried] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setDraft(edited ? draftOf(edited.field, edited.entry) : EMPTY_DRAFT);
    setTried(false);
    if (edited) first.current?.focus();
  }, [edited]);
  const set = (name: keyof StrategyDraft) => (value: string) => setDraft((before) => ({ ...before, [name]: value }));
  const problems = {
    field: draft.field.trim() ? "" : "Enter the field.",
    threshold: numberProblem(draft.threshold, 0, 1),
    numeric_tolerance: numberProblem(draft.numeric_tolerance, 0, 1e300),
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.values(problems).some(Boolean)) return;
    if (await onSave(draft.field.trim(), entryOf(draft))) {
      setDraft(EMPTY_DRAFT);
      setTried(false);
      first.current?.focus();
    }
  };
  return (
    <form
      className="form strategy-form"
      onSubmit={submit}
      noValidate
      aria-label={edited ? `Change ${edited.field}` : "Add a field"}
    >
      <div className="form-row">
        <TextField
          label="Field"
          inputRef={first}
          value={draft.field}
          onChange={set("field")}
          readOnly={Boolean(edited)}
          maxLength={1000}
          placeholder="address.city or items[*].name"
          className="wide-field"
          problem={isTried ? problems.field || problem : problem}
        />
        <Select
          label="Strategy"
          options={STRATEGIES.map((value) => ({ value, label: `${value}: ${STRATEGY_WORDS[value]}` }))}
          value={draft.strategy}
          onChange={set("strategy")}
        />
        <Button type="submit" kind="primary" disabled={isBusy}>
          {edited ? "Save" : "Add"}
        </Button>
        {edited && (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <details className="more" open={Boolean(edited && typeof edited.entry === "object") || undefined}>
        <summary>Options of this field</summary>
        <div className="form-row">
          <TextField
            label="Threshold"
            hint="0 to 1, for FUZZY and SEMANTIC"
            inputMode="decimal"
            value={draft.threshold}
            onChange={set("threshold")}
            problem={problems.threshold}
          />
          <TextField
            label="Numeric tolerance"
            hint="for EXACT"
            inputMode="decimal"
            value={draft.numeric_tolerance}
            onChange={set("numeric_tolerance")}
            problem={problems.numeric_tolerance}
          />
          <Select
            label="Dates are read as"
            all="as the document"
            options={DATES}
            value={draft.date}
            onChange={set("date")}
          />
          <Select
            label="List items are matched by"
            all="as the document"
            options={ALIGNMENTS}
            value={draft.list_alignment}
            onChange={set("list_alignment")}
          />
          <TextField label="Key of list items" value={draft.list_key} maxLength={200} onChange={set("list_key")} />
          {SWITCHES.map((name) => (
            <Select
              key={name}
              label={LABELS[name]!}
              all="as the document"
              options={YES_NO}
              value={draft[name]}
              onChange={set(name)}
            />
          ))}
        </div>
      </details>
    </form>
  );
}
