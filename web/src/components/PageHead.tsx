import type { ReactNode } from "react";

/** The name of a page whose header has no time range. */
export function PageHead({ title, note, children }: { title: ReactNode; note?: ReactNode; children?: ReactNode }) {
  return (
    <header className="page-head">
      <h1 dir="auto">{title}</h1>
      {children}
      {note && <p className="muted small">{note}</p>}
    </header>
  );
}
