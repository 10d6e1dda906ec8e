import { useState } from "react";
import { t } from "../lib/messages";
import { chooseTheme, readTheme } from "../lib/theme";
import { IconSwitch } from "./ui/IconSwitch";

const THEMES = [
  { value: "system", icon: "system", label: t("shared.asTheSystem") },
  { value: "light", icon: "sun", label: t("shared.light") },
  { value: "dark", icon: "moon", label: t("shared.dark") },
] as const;

/** The colours: as the system's, or chosen here. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(readTheme);
  return (
    <IconSwitch
      label={t("shared.colours")}
      options={THEMES}
      chosen={chosen}
      onChoose={(theme) => {
        chooseTheme(theme);
        setChosen(theme);
      }}
    />
  );
}
