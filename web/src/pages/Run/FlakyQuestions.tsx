import type { FlakyQuestionEntry, RunDetail } from "../../api/generated/schema";
import { useReport } from "../../api/source";
import { useAnswer } from "../../api/use-answer";
import { ReportNote } from "../../components/ReportNote";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { LongText } from "../../components/ui/LongText";
import { Paging } from "../../components/ui/Paging";
import { Status } from "../../components/ui/Status";
import { t } from "../../lib/messages";
import { differentAnswers, type GivenAnswer } from "../../lib/repeats";
import { href, pathTo, useQuery } from "../../lib/url";

const PAGE = 10;

/** The questions some of whose answers pass and some do not, their answers side by side. */
export function FlakyQuestions({ run }: { run: RunDetail }) {
  const [query, setQuery] = useQuery();
  const report = useReport();
  const offset = Number(query.offset) || 0;
  const answer = useAnswer("list_flaky_questions", { name: run.name, limit: PAGE, offset }, { keeps: true });
  return (
    <Await answer={answer}>
      {({ items, total }) =>
        total === 0 ? (
          <EmptyState title={t("run.noQuestionIsFlaky")}>{t("run.allAnswersToAQuestionAgree")}</EmptyState>
        ) : (
          <section className="stack" aria-label={t("run.flakyQuestions")}>
            <h2>{t("run.flakyQuestionsCount", { count: total })}</h2>
            {report && <ReportNote />}
            {items.map((one) => (
              <Question key={one.question} one={one} />
            ))}
            <Paging total={total} limit={PAGE} offset={offset} onMove={(next) => setQuery({ offset: `${next}` })} />
          </section>
        )
      }
    </Await>
  );
}

function Question({ one }: { one: FlakyQuestionEntry }) {
  return (
    <article className="flaky">
      <h3>
        <bdi>{one.query || one.question}</bdi>
      </h3>
      <p className="muted small">
        {one.query && (
          <>
            <span dir="auto">{one.question}</span>
            {" · "}
          </>
        )}
        {t("run.passedOfJudged", { passed: one.passed, judged: one.judged })}
      </p>
      <ul className="flaky-answers">
        {differentAnswers(one.answers).map((given) => (
          <Answer key={given.answer.test_id} given={given} />
        ))}
      </ul>
    </article>
  );
}

function Answer({ given: { answer, times } }: { given: GivenAnswer }) {
  return (
    <li>
      <p className="flaky-head small">
        <Status word={answer.status} />
        <a href={href(pathTo("/tests/:id", { id: answer.test_id }))} dir="auto">
          {answer.test_name}
        </a>
        {times > 1 && <span className="muted">{t("run.givenTimes", { times })}</span>}
      </p>
      <LongText text={answer.response ?? ""} />
    </li>
  );
}
