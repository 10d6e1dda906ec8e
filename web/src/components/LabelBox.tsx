import { useState } from "react";
import { ask } from "../api/client";
import type { LabelEntry } from "../api/generated/schema";
import { useAction } from "../api/use-action";
import { useAnswer } from "../api/use-answer";
import { useKeys } from "../lib/keys";
import { t } from "../lib/messages";
import { useRater } from "../lib/rater";
import { Button } from "./ui/Button";
import { TextField } from "./ui/Field";
import { Notice } from "./ui/Notice";
import "./label-box.css";

type Verdict = "pass" | "fail";
const WORDS: Readonly<Record<Verdict, string>> = { pass: t("shared.good"), fail: t("shared.bad") };
const TONES: Readonly<Record<Verdict, string>> = { pass: "tone-good", fail: "tone-bad" };

/** Thumbs and a note for a sample; the keys 1 and 2 say good and bad. */
export function LabelBox({
  test,
  isBlind = false,
  onLabelled,
}: {
  test: string;
  /** Keep what others said out of sight until the rater has decided. */
  isBlind?: boolean;
  onLabelled?: (label: Verdict | null) => void;
}) {
  const answer = useAnswer("list_labels", { test_id: test });
  const [rater, setRater] = useRater();
  const [given, setGiven] = useState<readonly LabelEntry[]>();
  const labels = given ?? answer.data ?? [];
  const own = labels.find((label) => label.rater === rater);
  const [typed, setTyped] = useState<string>();
  const note = typed ?? own?.note ?? "";
  const save = useAction((label: Verdict | null, words: string) =>
    ask("set_label", { test_id: test, body: { label, note: words, rater: rater || null } }),
  );
  const say = async (label: Verdict | null, words = note) => {
    const found = await save.run(label, words);
    if (!found) return;
    setGiven(found);
    if (!rater) setRater(found.at(-1)?.rater ?? "");
    onLabelled?.(label);
  };
  useKeys({ "1": () => void say("pass"), "2": () => void say("fail") });
  return (
    <section className="label-box" aria-label={t("shared.yourVerdict")}>
      <div className="label-row" role="group" aria-label={t("shared.isThisAnswerGood")}>
        {(["pass", "fail"] as const).map((verdict, place) => (
          <Button
            key={verdict}
            icon={verdict === "pass" ? "thumbUp" : "thumbDown"}
            className={`thumb ${verdict}`}
            aria-pressed={own?.label === verdict}
            disabled={save.isBusy}
            onClick={() => void say(own?.label === verdict ? null : verdict)}
          >
            {WORDS[verdict]} <kbd>{place + 1}</kbd>
          </Button>
        ))}
        <TextField
          label={<span className="unseen">{t("common.note")}</span>}
          placeholder={t("shared.whyOptional")}
          className="label-note"
          value={note}
          maxLength={5000}
          onChange={setTyped}
          onBlur={() => own && typed !== undefined && typed !== own.note && void say(own.label, typed)}
        />
        <TextField
          label={<span className="unseen">{t("shared.yourName")}</span>}
          placeholder={t("shared.yourName")}
          className="label-rater"
          value={rater}
          maxLength={100}
          onChange={setRater}
        />
      </div>
      {save.problem && <Notice tone="bad">{save.problem}</Notice>}
      {labels.length > 0 && (own || !isBlind) && (
        <ul className="label-list small">
          {labels.map((label) => (
            <li key={label.rater}>
              <span className={`tone-text ${TONES[label.label]}`}>{WORDS[label.label]}</span>{" "}
              <span className="muted" dir="auto">
                {label.rater}
                {label.note && `: ${label.note}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
