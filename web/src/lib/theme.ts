/** Light, dark, or as the system says. */
export type Theme = "system" | "light" | "dark";

const NAME = "assay-theme";

export function readTheme(): Theme {
  try {
    const found = localStorage.getItem(NAME);
    return found === "light" || found === "dark" ? found : "system";
  } catch {
    return "system"; // a browser may refuse storage, as for files from disk
  }
}

export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(NAME, theme);
  } catch {
    // the choice then holds for this page only
  }
}
