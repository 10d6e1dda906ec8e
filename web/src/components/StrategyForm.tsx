import { type FormEvent, useEffect, useRef, useState } from "react";
import { t } from "../lib/messages";
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

const YES_NO = [
  { value: "yes", label: t("common.yes") },
  { value: "no", label: t("common.no") },
];
const DATES = [
  { value: "ymd", label: t("common.yearMonthDay") },
  { value: "dmy", label: t("common.dayMonthYear") },
  { value: "mdy", label: t("common.monthDayYear") },
];
const ALIGNMENTS = [
  { value: "order", label: t("common.byTheirPlace") },
  { value: "best", label: t("common.theMostSimilar") },
  { value: "key", label: t("common.byAKey") },
];
const LABELS: Readonly<Record<string, string>> = {
  list_order_matters: t("shared.listOrderMatters"),
  number_without_units: t("shared.numbersWithoutUnits"),
  ignore_case: t("common.ignoreCase"),
  ignore_whitespace: t("common.ignoreWhitespace"),
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
    field: draft.field.trim() ? "" : t("shared.enterTheField"),
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
      aria-label={edited ? t("shared.change", { field: edited.field }) : t("shared.addAField")}
    >
      <div className="form-row">
        <TextField
          label={t("common.field")}
          inputRef={first}
          value={draft.field}
          onChange={set("field")}
          readOnly={Boolean(edited)}
          maxLength={1000}
          placeholder={t("shared.addressCityOrItemsName")}
          className="wide-field"
          problem={isTried ? problems.field || problem : problem}
        />
        <Select
          label={t("common.strategy")}
          options={STRATEGIES.map((value) => ({ value, label: `${value}: ${STRATEGY_WORDS[value]}` }))}
          value={draft.strategy}
          onChange={set("strategy")}
        />
        <Button type="submit" kind="primary" disabled={isBusy}>
          {edited ? t("common.save") : t("common.add")}
        </Button>
        {edited && (
          <Button kind="quiet" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
      </div>
      <details className="more" open={Boolean(edited && typeof edited.entry === "object") || undefined}>
        <summary>{t("shared.optionsOfThisField")}</summary>
        <div className="form-row">
          <TextField
            label={t("common.threshold")}
            hint={t("shared.0To1ForFUZZYAnd")}
            inputMode="decimal"
            value={draft.threshold}
            onChange={set("threshold")}
            problem={problems.threshold}
          />
          <TextField
            label={t("common.numericTolerance")}
            hint={t("shared.forEXACT")}
            inputMode="decimal"
            value={draft.numeric_tolerance}
            onChange={set("numeric_tolerance")}
            problem={problems.numeric_tolerance}
          />
          <Select
            label={t("common.datesAreReadAs")}
            all={t("shared.asTheDocument")}
            options={DATES}
            value={draft.date}
            onChange={set("date")}
          />
          <Select
            label={t("common.listItemsAreMatchedBy")}
            all={t("shared.asTheDocument")}
            options={ALIGNMENTS}
            value={draft.list_alignment}
            onChange={set("list_alignment")}
          />
          <TextField
            label={t("shared.keyOfListItems")}
            value={draft.list_key}
            maxLength={200}
            onChange={set("list_key")}
          />
          {SWITCHES.map((name) => (
            <Select
              key={name}
              label={LABELS[name]!}
              all={t("shared.asTheDocument")}
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
