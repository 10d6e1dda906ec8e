/** Draws the pages: of the dashboard, or of a report. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./components/App";
import { applyLanguage } from "./lib/language";
import { t } from "./lib/messages";
import { applyTheme } from "./lib/theme";
import type { Route } from "./routes";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/drawings.css";
import "./styles/parts.css";
import "./styles/tables.css";
import "./styles/texts.css";
import "./styles/layout.css";

export function start(routes: readonly Route[]): void {
  applyTheme();
  applyLanguage(t("language.direction"));
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <App routes={routes} />
    </StrictMode>,
  );
}
