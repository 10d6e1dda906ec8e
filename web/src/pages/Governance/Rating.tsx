import { useId } from "react";

/** One to five, all in sight; arrow keys go from one to the next. */
export function Rating({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | undefined;
  onChange: (value: number) => void;
}) {
  const name = useId();
  return (
    <fieldset className="rating">
      <legend>{label}</legend>
      <span className="choice">
        {[1, 2, 3, 4, 5].map((step) => (
          <label key={step}>
            <input type="radio" name={name} value={step} checked={value === step} onChange={() => onChange(step)} />
            <span className="number">{step}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}
