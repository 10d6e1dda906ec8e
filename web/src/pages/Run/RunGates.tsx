import type { GateEntry } from "../../api/generated/schema";
import { Status } from "../../components/ui/Status";
import { IN_ENGLISH, t } from "../../lib/messages";

const weight = (gate: GateEntry) => (gate.passes ? 1 : 0) + (gate.state === "holds" ? 1 : 0);

/** What became of the run's gates: those that failed first, then those that are not sure. */
export function RunGates({ gates }: { gates: readonly GateEntry[] }) {
  if (gates.length === 0) return null;
  return (
    <section className="gates" aria-label={t("run.gates")}>
      <h2>{t("run.gates")}</h2>
      <ul>
        {gates
          .toSorted((x, y) => weight(x) - weight(y))
          .map((gate) => (
            <li key={gate.gate}>
              <Status word={gate.passes ? gate.state : "failed"} />
              <code dir="auto">{gate.gate}</code>
              <span className="muted small" {...IN_ENGLISH}>
                {gate.explanation}
              </span>
            </li>
          ))}
      </ul>
    </section>
  );
}
