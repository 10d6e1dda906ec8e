import { useEffect } from "react";
import type { SpanEntry, TestDetail } from "../../api/generated/schema";
import { useReport } from "../../api/source";
import { useAnswer } from "../../api/use-answer";
import { LabelBox } from "../../components/LabelBox";
import { PageHead } from "../../components/PageHead";
import { CutNote } from "../../components/ReportNote";
import { Results } from "../../components/Results";
import { RunLink } from "../../components/RunLink";
import { SampleText } from "../../components/SampleText";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { LongList } from "../../components/ui/LongList";
import { Status } from "../../components/ui/Status";
import { formatMoment, formatScore } from "../../lib/format";
import { IN_ENGLISH, rich, t } from "../../lib/messages";
import { listOf } from "../../lib/sample-list";
import {
  contextTexts,
  facts,
  firstToShow,
  jsonTexts,
  listTexts,
  mainTexts,
  type TextField,
  turnsOf,
} from "../../lib/sample-texts";
import { useQuery } from "../../lib/url";
import type { PageProps } from "../../routes";
import { AgentSteps } from "./AgentSteps";
import { Conversation } from "./Conversation";
import { Neighbours } from "./Neighbours";
import "./sample.css";

/** One sample: its texts with the evidence in place, and every score with its reason. */
export function Sample({ params }: PageProps) {
  const answer = useAnswer("get_test", { test_id: params.id ?? "" });
  return (
    <Await answer={answer} title={t("common.sample")}>
      {(test) => <SampleBoard test={test} />}
    </Await>
  );
}

function SampleBoard({ test }: { test: TestDetail }) {
  const report = useReport();
  const [query, setQuery] = useQuery();
  const chosen = query.metric ?? firstToShow(test.results);
  const result = chosen ? test.results[chosen] : undefined;
  const { sample } = test;
  const evidenceOf = (field: string) => (result?.evidence ?? []).filter((span) => span.field === field);
  const list = listOf(query);
  useEffect(() => {
    document.title = t("sample.sampleAssay", { id: sample.id || test.test_id });
  }, [sample.id, test.test_id]);
  const documents = jsonTexts(sample);
  const others = listTexts(sample);
  return (
    <>
      {list && <Neighbours list={list} metric={query.metric} />}
      <PageHead
        title={sample.id || test.test_id}
        note={rich("sample.runLine", {
          run: <RunLink name={test.run} />,
          value: test.timestamp && ` · ${formatMoment(test.timestamp, true)}`,
          part: <span className="id">{report ? t("sample.sample", { test_id: test.test_id }) : test.test_id}</span>,
        })}
      >
        <Status word={test.status} />
        <span className="badges">
          <LongList entries={sample.tags}>{(shown) => shown.map((tag) => <Badge key={tag}>{tag}</Badge>)}</LongList>
        </span>
        <span className="push">
          <span className="muted small">{t("sample.score")} </span>
          <strong className="sample-score number">{formatScore(test.score === null ? null : 100 * test.score)}</strong>
        </span>
      </PageHead>
      <CutNote test={test.test_id} />
      {!report && <LabelBox key={test.test_id} test={test.test_id} />}
      {test.failure && <Failure failure={test.failure} />}
      <div className="sample">
        <div className="sample-texts">
          <h2 className="unseen">{t("sample.texts")}</h2>
          <Conversation turns={turnsOf(sample)} evidenceOf={evidenceOf} />
          {mainTexts(sample).map((text) => (
            <SampleText key={text.field} text={text} evidence={evidenceOf(text.field)} />
          ))}
          {sample.contexts.length > 0 && (
            <section>
              <h2>{t("sample.contexts")}</h2>
              <SampleTexts texts={contextTexts(sample)} evidenceOf={evidenceOf} />
            </section>
          )}
          <AgentSteps sample={sample} evidenceOf={evidenceOf} />
          {documents.length > 0 && (
            <section>
              <h2>JSON</h2>
              <div className="documents">
                {documents.map((text) => (
                  <SampleText key={text.field} text={text} evidence={evidenceOf(text.field)} />
                ))}
              </div>
            </section>
          )}
          {others.length > 0 && (
            <details open={others.some((text) => evidenceOf(text.field).length > 0) || undefined}>
              <summary>{t("sample.moreFields", { count: others.length })}</summary>
              <SampleTexts texts={others} evidenceOf={evidenceOf} />
            </details>
          )}
          <dl className="facts">
            {facts(sample).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="number">{value}</dd>
              </div>
            ))}
          </dl>
          {Object.keys(sample.metadata).length > 0 && (
            <details>
              <summary>{t("sample.metadata")}</summary>
              <pre className="raw" dir="auto" tabIndex={0}>
                {JSON.stringify(sample.metadata, null, 2)}
              </pre>
            </details>
          )}
        </div>
        <Results results={test.results} chosen={chosen} onChoose={(metric) => setQuery({ metric })} />
      </div>
    </>
  );
}

interface SampleTextsProps {
  texts: readonly TextField[];
  evidenceOf: (field: string) => SpanEntry[];
}

/** Texts of which a sample may have any number. */
function SampleTexts({ texts, evidenceOf }: SampleTextsProps) {
  return (
    <LongList entries={texts}>
      {(shown) => shown.map((text) => <SampleText key={text.field} text={text} evidence={evidenceOf(text.field)} />)}
    </LongList>
  );
}

function Failure({ failure }: { failure: NonNullable<TestDetail["failure"]> }) {
  return (
    <section className="failure" aria-label={t("sample.whyItFailed")}>
      <p>
        <span {...IN_ENGLISH}>
          <strong>{failure.category}:</strong> {failure.root_cause}
        </span>
      </p>
      {failure.recommendations.length > 0 && (
        <details>
          <summary>{t("common.whatMayHelp")}</summary>
          <ul>
            {failure.recommendations.map((advice) => (
              <li key={advice} {...IN_ENGLISH}>
                {advice}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
