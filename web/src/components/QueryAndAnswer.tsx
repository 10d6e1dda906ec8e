import { t } from "../lib/messages";
import { TextArea } from "./ui/Field";

interface QueryAndAnswerProps {
  query: string;
  response: string;
  onChange: (changes: { query?: string; response?: string }) => void;
  problem?: string;
  rows: number;
}

/** What was asked, and what a system answered: the two texts that every answer to be looked at has. */
export function QueryAndAnswer({ query, response, onChange, problem, rows }: QueryAndAnswerProps) {
  return (
    <>
      <TextArea
        label={t("common.query")}
        rows={2}
        value={query}
        onChange={(text) => onChange({ query: text })}
        placeholder={t("common.whatWasAsked")}
      />
      <TextArea
        label={t("common.answer")}
        rows={rows}
        value={response}
        onChange={(text) => onChange({ response: text })}
        placeholder={t("common.whatTheSystemAnswered")}
        problem={problem}
      />
    </>
  );
}
