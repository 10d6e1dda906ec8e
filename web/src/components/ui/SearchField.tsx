import { useEffect, useState } from "react";
import { t } from "../../lib/messages";

/** Words to look for; handed on when the typing pauses. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), 250);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <label className="field search">
      <span className="field-label">{label}</span>
      <input
        type="search"
        dir="auto"
        maxLength={500}
        value={typed}
        placeholder={t("shared.search")}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}
