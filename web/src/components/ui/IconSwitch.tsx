import { Icon, type IconName } from "./Icon";

interface IconSwitchProps<T extends string> {
  label: string;
  options: readonly { value: T; icon: IconName; label: string }[];
  chosen: T;
  onChoose: (value: T) => void;
}

/** One of a few, each a button with a picture. */
export function IconSwitch<T extends string>({ label, options, chosen, onChoose }: IconSwitchProps<T>) {
  return (
    <div className="switch" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          title={option.label}
          aria-label={option.label}
          aria-pressed={chosen === option.value}
          onClick={() => onChoose(option.value)}
        >
          <Icon name={option.icon} />
        </button>
      ))}
    </div>
  );
}
