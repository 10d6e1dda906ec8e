import type { SpanEntry } from "../api/generated/schema";
import { t } from "../lib/messages";
import type { TextField } from "../lib/sample-texts";
import { LongText } from "./ui/LongText";
import "./sample.css";

export function SampleText({ text, evidence }: { text: TextField; evidence: readonly SpanEntry[] }) {
  return (
    <section className={`sample-text ${text.field === "response" ? "main" : ""}`}>
      <h3>
        {text.label}
        {text.note && (
          <span className="muted tiny" dir="auto">
            {text.note}
          </span>
        )}
        {evidence.length > 0 && (
          <span className="mark-count tiny">{t("shared.marked", { evidence: evidence.length })}</span>
        )}
      </h3>
      <LongText text={text.text} evidence={evidence} />
    </section>
  );
}
