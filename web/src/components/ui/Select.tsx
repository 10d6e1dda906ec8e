import type { Option } from "./Choice";

interface SelectProps {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  /** What the choice of nothing is called; without it one has to be chosen. */
  all?: string;
}

export function Select({ label, options, value, onChange, all }: SelectProps) {
  const isListed = value === "" || options.some((option) => option.value === value);
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {!isListed && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
