import type { ReactNode } from "react";
import type { Tone } from "../../api/registry";

export function Badge({
  tone = "neutral",
  title,
  children,
}: {
  tone?: Tone | "accent";
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={`badge tone-${tone}`} title={title} dir="auto">
      {children}
    </span>
  );
}
