import { useRef, useState } from "react";
import { t } from "../../lib/messages";
import { Button } from "./Button";
import type { IconName } from "./Icon";

interface ConfirmProps {
  label: string;
  /** What is asked before it is done. */
  question: string;
  sure: string;
  icon?: IconName;
  isQuiet?: boolean;
  onSure: () => void;
}

/** A button for what cannot be undone: asks once more, in place. */
export function Confirm({ label, question, sure, icon = "delete", isQuiet = false, onSure }: ConfirmProps) {
  const [isAsked, setAsked] = useState(false);
  const first = useRef<HTMLSpanElement>(null);
  const back = () => {
    setAsked(false);
    requestAnimationFrame(() => first.current?.querySelector("button")?.focus());
  };
  return (
    <span ref={first} className="confirm">
      {isAsked ? (
        <span role="group" aria-label={question} onKeyDown={(event) => event.key === "Escape" && back()}>
          <span className="small">{question}</span>{" "}
          <Button
            kind="danger"
            autoFocus
            onClick={() => {
              setAsked(false);
              onSure();
            }}
          >
            {sure}
          </Button>{" "}
          <Button kind="quiet" onClick={back}>
            {t("common.keep")}
          </Button>
        </span>
      ) : (
        <Button kind={isQuiet ? "quiet" : "plain"} icon={icon} onClick={() => setAsked(true)}>
          {label}
        </Button>
      )}
    </span>
  );
}
