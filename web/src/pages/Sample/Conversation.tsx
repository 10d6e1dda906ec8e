import type { SpanEntry } from "../../api/generated/schema";
import { LongList } from "../../components/ui/LongList";
import { LongText } from "../../components/ui/LongText";
import { labelOf } from "../../lib/format";
import { t } from "../../lib/messages";
import type { Turn } from "../../lib/sample-texts";

/** What was said before, turn by turn. */
export function Conversation({
  turns,
  evidenceOf,
}: {
  turns: readonly Turn[];
  evidenceOf: (field: string) => SpanEntry[];
}) {
  if (turns.length === 0) return null;
  return (
    <section>
      <h2>{t("sample.conversation")}</h2>
      <LongList entries={turns}>
        {(shown) => (
          <ol className="turns">
            {shown.map((turn, index) => (
              <li key={index} data-role={turn.role}>
                <h3 dir="auto">{labelOf(turn.role)}</h3>
                <LongText text={turn.content} evidence={evidenceOf(`conversation[${index}]`)} />
              </li>
            ))}
          </ol>
        )}
      </LongList>
    </section>
  );
}
