import type { ReactNode } from "react";

/** Says that there is nothing, and what to do next. */
export function EmptyState({ title, children, command }: { title: string; children?: ReactNode; command?: string }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && (
        <p className="muted" dir="auto">
          {children}
        </p>
      )}
      {command && (
        <pre className="command">
          <code>{command}</code>
        </pre>
      )}
    </div>
  );
}
