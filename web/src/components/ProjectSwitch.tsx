import { ask } from "../api/client";
import type { Me } from "../api/generated/schema";
import { t } from "../lib/messages";

/** Chooses which project the dashboard shows; nothing where there is only one. */
export function ProjectSwitch({ me }: { me: Me }) {
  if (me.projects.length < 2) return null;
  const choose = async (name: string) => {
    await ask("choose_project", { body: { name } });
    window.location.assign("./");
  };
  return (
    <label className="field">
      <span className="field-label">{t("shared.project")}</span>
      <select value={me.project} onChange={(event) => void choose(event.target.value)}>
        {me.projects.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
