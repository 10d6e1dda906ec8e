import type { VersionEntry } from "../api/generated/schema";
import type { Answer } from "../api/use-answer";
import { formatMoment } from "../lib/format";
import { rich, t } from "../lib/messages";
import { Await } from "./ui/Await";
import { Badge } from "./ui/Badge";
import { Button } from "./ui/Button";

interface VersionHistoryProps {
  answer: Answer<VersionEntry[]>;
  /** The version that is looked at, when it is an older one. */
  shown?: number;
  onShow: (version: number) => void;
}

/** Every version of something that is configured: who made it and when. */
export function VersionHistory({ answer, shown, onShow }: VersionHistoryProps) {
  return (
    <Await answer={answer}>
      {(versions) => (
        <ol className="versions" reversed>
          {versions.map((entry, index) => (
            <li key={entry.version}>
              <span className="number">{t("shared.version", { version: entry.version })}</span>
              <span className="muted small">
                {rich("shared.createdBy", {
                  created: formatMoment(entry.created),
                  part: <span dir="auto">{entry.author}</span>,
                })}
              </span>
              {index === 0 && !entry.is_removed && <Badge tone="accent">{t("shared.inForce")}</Badge>}
              {entry.is_removed ? (
                <Badge tone="warn">{t("shared.removed")}</Badge>
              ) : (
                index > 0 && (
                  <Button kind="quiet" aria-pressed={shown === entry.version} onClick={() => onShow(entry.version)}>
                    {t("shared.view")}
                  </Button>
                )
              )}
            </li>
          ))}
        </ol>
      )}
    </Await>
  );
}
