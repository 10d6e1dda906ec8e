import type { RunRepeats as Repeats } from "../../api/generated/schema";
import { Figure } from "../../components/Figure";
import { formatEnds, formatShare } from "../../lib/format";
import { t } from "../../lib/messages";
import { repeatFigure } from "../../lib/repeats";

/** What several answers to each question come to: pass@k, pass^k and consistency. */
export function RunRepeats({ repeats }: { repeats: Repeats | null }) {
  if (!repeats) return null;
  return (
    <section className="repeats" aria-label={t("run.repeats")}>
      <h2>{t("run.repeats")}</h2>
      <p className="muted small">
        {t("run.answersToQuestions", { answers: repeats.answers, questions: repeats.questions })}
      </p>
      <div className="figures">
        {Object.entries(repeats.figures).map(([name, { value, interval, questions }]) => {
          const { label, note } = repeatFigure(name);
          return (
            <Figure
              key={name}
              label={label}
              value={formatShare(value)}
              note={[
                note,
                interval && t("common.interval95", { interval: formatEnds(interval, formatShare) }),
                questions < repeats.questions && t("run.overQuestions", { questions }),
              ]
                .filter(Boolean)
                .join("; ")}
            />
          );
        })}
      </div>
    </section>
  );
}
