import { useState } from "react";
import type { TestDetail } from "../../api/generated/schema";
import { useRegistry } from "../../api/registry";
import { useAnswer } from "../../api/use-answer";
import { LabelBox } from "../../components/LabelBox";
import { SampleText } from "../../components/SampleText";
import { Await } from "../../components/ui/Await";
import { EmptyState } from "../../components/ui/EmptyState";
import { Loading } from "../../components/ui/Loading";
import { Notice } from "../../components/ui/Notice";
import { formatEnds, formatShare, formatValue } from "../../lib/format";
import { IN_ENGLISH, rich, t, word } from "../../lib/messages";
import { useRater } from "../../lib/rater";
import { contextTexts, mainTexts } from "../../lib/sample-texts";
import { useQuery } from "../../lib/url";

/** One sample after the other, those first from which calibration learns most. */
export function Queue({ run, metric }: { run: string; metric: string }) {
  const [rater] = useRater();
  const [, setQuery] = useQuery();
  const [done, setDone] = useState(0);
  const queue = useAnswer("get_label_queue", { name: run, metric, rater, count: 1 });
  const report = useAnswer("get_run_labels", { name: run });
  const again = () => {
    setDone((count) => count + 1);
    queue.reload();
    report.reload();
  };
  return (
    <div className="queue">
      <p className="muted small" role="status">
        {report.data && t("labels.samplesLabelled", { samples: report.data.samples })}
        {queue.data?.agreement?.value !== null && queue.data?.agreement && (
          <>
            {" "}
            {t("labels.metricAndPeopleAgreeOn", {
              value: formatShare(queue.data.agreement.value),
              value2:
                queue.data.agreement.low !== null &&
                `[${formatEnds([queue.data.agreement.low, queue.data.agreement.high], formatShare)}]`,
            })}
          </>
        )}
      </p>
      {queue.data?.is_enough && (
        <Notice tone="good">
          {rich("labels.enoughLabelsTheAgreementIsKnown", {
            button: (
              <button type="button" className="unfold" onClick={() => setQuery({ tab: "calibration" }, false)}>
                {t("labels.seeTheCalibration")}
              </button>
            ),
          })}
        </Notice>
      )}
      <Await answer={queue}>
        {({ items }) =>
          queue.isLoading ? (
            <Loading />
          ) : items[0] ? (
            <Next
              key={`${items[0].test.test_id} ${done}`}
              test={items[0].test.test_id}
              metric={metric}
              reason={items[0].reason}
              onDone={again}
            />
          ) : (
            <EmptyState title={t("labels.allSamplesAreLabelled")}>
              {t("labels.seeUnderCalibrationWhatYourLabels")}
            </EmptyState>
          )
        }
      </Await>
    </div>
  );
}

function Next({ test, metric, reason, onDone }: { test: string; metric: string; reason: string; onDone: () => void }) {
  const answer = useAnswer("get_test", { test_id: test });
  return (
    <Await answer={answer}>
      {(detail) => (
        <>
          <LabelBox test={test} isBlind onLabelled={onDone} />
          <p className="muted small">{t("labels.whyThisOne", { reason: word(reason) })}</p>
          <Texts detail={detail} metric={metric} />
        </>
      )}
    </Await>
  );
}

/** The texts of a sample; the score is folded, so that it sways nobody. */
function Texts({ detail, metric }: { detail: TestDetail; metric: string }) {
  const { label, scale } = useRegistry();
  const result = detail.results[metric];
  return (
    <div className="sample-texts">
      {[...mainTexts(detail.sample), ...contextTexts(detail.sample)].map((text) => (
        <SampleText key={text.field} text={text} evidence={[]} />
      ))}
      {result && (
        <details>
          <summary>{t("labels.whatSays", { metric: label(metric) })}</summary>
          <p>
            <strong className="number">{formatValue(result.value, scale(metric))}</strong>{" "}
            <span {...IN_ENGLISH}>{result.explanation}</span>
          </p>
        </details>
      )}
    </div>
  );
}
