import { useAnswer } from "../api/use-answer";
import { labelOf } from "../lib/format";
import { t } from "../lib/messages";
import { Checkbox } from "./ui/Field";
import { Select } from "./ui/Select";

export interface MetricChosen {
  /** Families or other selectors; empty: those of the profile. */
  metrics: readonly string[];
  profile: string;
  policy: string;
}

export const NO_CHOICE: MetricChosen = { metrics: [], profile: "", policy: "" };

interface MetricChoiceProps {
  value: MetricChosen;
  onChange: (value: MetricChosen) => void;
}

/** What is measured: families of metrics, or those that a profile names. */
export function MetricChoice({ value, onChange }: MetricChoiceProps) {
  const families = useAnswer("list_families", {}, { isFixed: true });
  const profiles = useAnswer("list_profiles", {});
  const policies = useAnswer("list_compliance_modes", {}, { isFixed: true });
  const chosen = profiles.data?.find(({ name }) => name === value.profile);
  const toggle = (family: string, isOn: boolean) =>
    onChange({
      ...value,
      metrics: isOn ? [...value.metrics, family] : value.metrics.filter((name) => name !== family),
    });
  return (
    <div className="form metric-choice">
      <div className="form-row">
        <Select
          label={t("shared.profileOrPreset")}
          all={t("common.none")}
          options={(profiles.data ?? []).map((profile) => ({
            value: profile.name,
            label: profile.is_bundled
              ? profile.name
              : t("shared.yourOwnVersion", { name: profile.name, version: profile.version }),
          }))}
          value={value.profile}
          onChange={(profile) => onChange({ ...value, profile })}
        />
        <Select
          label={t("common.policy")}
          all={t("shared.profileDefault")}
          options={(policies.data ?? []).map(({ policy, title }) => ({ value: policy, label: title }))}
          value={value.policy}
          onChange={(policy) => onChange({ ...value, policy })}
        />
      </div>
      {chosen && (
        <p className="muted small" dir="auto">
          {chosen.title}{" "}
          {chosen.metrics.length > 0 &&
            value.metrics.length === 0 &&
            t("shared.measures", {
              metrics: chosen.metrics
                .filter((name) => !name.startsWith("-"))
                .map(labelOf)
                .join(", "),
            })}
        </p>
      )}
      <fieldset className="set">
        <legend>
          {chosen?.metrics.length
            ? t("shared.familiesInsteadOfThoseOfThe")
            : value.metrics.length
              ? t("common.families")
              : t("shared.familiesNoneForTheServerDefault")}
        </legend>
        <div className="checks">
          {(families.data ?? []).map((family) => (
            <Checkbox
              key={family.name}
              label={
                <>
                  <span className="check-name">{labelOf(family.name)}</span>{" "}
                  <span className="muted tiny number">{t("shared.metrics", { metrics: family.metrics })}</span>
                </>
              }
              isChecked={value.metrics.includes(family.name)}
              onChange={(isOn) => toggle(family.name, isOn)}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}
