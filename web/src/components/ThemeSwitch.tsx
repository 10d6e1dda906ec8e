import { useState } from "react";
import { chooseTheme, readTheme, type Theme } from "../lib/theme";
import { Icon, type IconName } from "./ui/Icon";

const THEMES: readonly { theme: Theme; icon: IconName; label: string }[] = [
  { theme: "system", icon: "system", label: "As the system" },
  { theme: "light", icon: "sun", label: "Light" },
  { theme: "dark", icon: "moon", label: "Dark" },
];

export function ThemeSwitch() {
  const [chosen, setChosen] = useState(readTheme);
  return (
    <div className="switch" role="group" aria-label="Colours">
      {THEMES.map(({ theme, icon, label }) => (
        <button
          key={theme}
          type="button"
          title={label}
          aria-label={label}
          aria-pressed={chosen === theme}
          onClick={() => {
            chooseTheme(theme);
            setChosen(theme);
          }}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
