import { useState } from "react";
import { chooseTheme, readTheme } from "../lib/theme";
import { IconSwitch } from "./ui/IconSwitch";

const THEMES = [
  { value: "system", icon: "system", label: "As the system" },
  { value: "light", icon: "sun", label: "Light" },
  { value: "dark", icon: "moon", label: "Dark" },
] as const;

/** The colours: as the system's, or chosen here. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(readTheme);
  return (
    <IconSwitch
      label="Colours"
      options={THEMES}
      chosen={chosen}
      onChoose={(theme) => {
        chooseTheme(theme);
        setChosen(theme);
      }}
    />
  );
}
