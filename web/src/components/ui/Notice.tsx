import { type ReactNode, useEffect, useRef } from "react";
import type { Tone } from "../../api/registry";
import "./field.css";

/** What came of an action; takes the focus when it should be read first. */
export function Notice({
  tone = "neutral",
  takesFocus = false,
  children,
}: {
  tone?: Tone | "accent";
  takesFocus?: boolean;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      className={`notice tone-${tone}`}
      role={tone === "bad" ? "alert" : "status"}
      dir="auto"
    >
      {children}
    </div>
  );
}
