import { type FormEvent, useState } from "react";
import { ask } from "../../api/client";
import type { FeedbackEntry, TurnEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { TextArea } from "../../components/ui/Field";
import { Notice } from "../../components/ui/Notice";
import { formatMoment, labelOf } from "../../lib/format";
import { t } from "../../lib/messages";
import { Rating } from "./Rating";

const RATED = ["accuracy", "completeness", "citation", "clarity"] as const;
type Ratings = Partial<Record<(typeof RATED)[number], number>>;

/** What people say of an answer: a form, and what was said. */
export function Feedback({
  turn,
  said,
  onChange,
}: {
  turn: TurnEntry;
  said: readonly FeedbackEntry[];
  onChange: () => void;
}) {
  const [ratings, setRatings] = useState<Ratings>({});
  const [comment, setComment] = useState("");
  const [isGiven, setGiven] = useState(false);
  const [isTried, setTried] = useState(false);
  const give = useAction(() =>
    ask("give_feedback", { id: turn.test_id, body: { ratings: ratings as Record<string, number>, comment } }),
  );
  const isEmpty = Object.keys(ratings).length === 0 && !comment.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isEmpty || !(await give.run())) return;
    setGiven(true);
    setTried(false);
    setRatings({});
    setComment("");
    onChange();
  };
  return (
    <section aria-labelledby="feedback" className="columns">
      <div>
        <div className="section-head">
          <h2 id="feedback">{t("governance.yourFeedback")}</h2>
          <span className="muted small">{t("governance.1IsPoor5IsExcellent")}</span>
        </div>
        <form className="form" onSubmit={submit} noValidate>
          {RATED.map((name) => (
            <Rating
              key={name}
              label={labelOf(name)}
              value={ratings[name]}
              onChange={(value) => setRatings({ ...ratings, [name]: value })}
            />
          ))}
          <TextArea
            label={t("governance.comment")}
            rows={3}
            maxLength={20_000}
            value={comment}
            onChange={setComment}
            problem={isTried && isEmpty ? t("governance.rateTheAnswerOrSaySomething") : give.problem}
          />
          <div className="form-actions">
            <Button kind="primary" type="submit" disabled={give.isBusy}>
              {t("governance.send")}
            </Button>
            {isGiven && (
              <Notice tone="good" takesFocus>
                {t("governance.thankYouYourFeedbackWasSaved")}
              </Notice>
            )}
          </div>
        </form>
      </div>
      <div>
        <div className="section-head">
          <h2>{t("governance.feedbackFromPeople")}</h2>
          <span className="muted small">{said.length || t("governance.nothingYet")}</span>
        </div>
        <ul className="said">
          {said.map((entry) => (
            <Said key={entry.id} entry={entry} onChange={onChange} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function Said({ entry, onChange }: { entry: FeedbackEntry; onChange: () => void }) {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const respond = useAction(() => ask("respond_to_feedback", { feedback_id: entry.id, body: { response: text } }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim() || !(await respond.run())) return;
    setOpen(false);
    onChange();
  };
  return (
    <li>
      <p className="muted small">
        <span dir="auto">{entry.author}</span> · {formatMoment(entry.created)}
      </p>
      <p className="badges">
        {Object.entries(entry.ratings).map(([name, value]) => (
          <Badge key={name} tone={value >= 4 ? "good" : value >= 3 ? "neutral" : "bad"}>
            {t("governance.nameValueOf5", { name: labelOf(name), value })}
          </Badge>
        ))}
      </p>
      {entry.comment && (
        <p dir="auto" className="data-text">
          {entry.comment}
        </p>
      )}
      {entry.response ? (
        <blockquote dir="auto" className="data-text">
          {entry.response}
        </blockquote>
      ) : isOpen ? (
        <form className="form" onSubmit={submit}>
          <TextArea
            label={t("governance.answerToThisFeedback")}
            rows={2}
            maxLength={20_000}
            required
            autoFocus
            value={text}
            onChange={setText}
            problem={respond.problem}
          />
          <div className="form-actions">
            <Button kind="primary" type="submit" disabled={respond.isBusy}>
              {t("common.answer")}
            </Button>
            <Button kind="quiet" onClick={() => setOpen(false)}>
              {t("common.cancel")}
            </Button>
          </div>
        </form>
      ) : (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {t("governance.answerIt")}
        </Button>
      )}
    </li>
  );
}
