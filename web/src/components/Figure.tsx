import type { ReactNode } from "react";

interface FigureProps {
  label: string;
  value: ReactNode;
  /** The interval, the count, what it is made of. */
  note?: ReactNode;
  trend?: ReactNode;
  children?: ReactNode;
}

/** One large number with all that it needs to be understood. */
export function Figure({ label, value, note, trend, children }: FigureProps) {
  return (
    <div className="figure">
      <h2 className="figure-label">{label}</h2>
      <p className="figure-value number">
        {value} {trend}
      </p>
      {children}
      {note && <p className="muted small">{note}</p>}
    </div>
  );
}
