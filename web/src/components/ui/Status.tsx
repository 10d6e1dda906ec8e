import type { Tone } from "../../api/registry";
import { word } from "../../lib/messages";
import { Badge } from "./Badge";

const TONES: Readonly<Record<string, Tone | "accent">> = {
  passed: "good",
  finished: "good",
  excellent: "good",
  good: "good",
  ok: "good",
  better: "good",
  holds: "good",
  flaky: "warn",
  undecided: "warn",
  unsure: "warn",
  failed: "bad",
  error: "bad",
  worse: "bad",
  watch: "warn",
  fair: "warn",
  stopped: "warn",
  missing: "neutral",
  imputed: "warn",
  running: "accent",
  queued: "accent",
  done: "good",
  cancelled: "warn",
  PASS: "good",
  "CONDITIONAL PASS": "warn",
  REVIEW: "warn",
  FAIL: "bad",
};

/** A word of the server about how something stands, in its colour. */
export function Status({ word: said }: { word: string | null | undefined }) {
  return said ? <Badge tone={TONES[said] ?? "neutral"}>{word(said)}</Badge> : <span className="muted">–</span>;
}
