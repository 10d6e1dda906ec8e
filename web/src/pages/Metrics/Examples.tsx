import type { Example, MetricPage } from "../../api/generated/schema";
import { LongText } from "../../components/ui/LongText";
import { Status } from "../../components/ui/Status";
import { formatValue, labelOf } from "../../lib/format";
import { IN_ENGLISH, t } from "../../lib/messages";

/** The metric's own cases, which its tests run. */
export function Examples({ metric }: { metric: MetricPage }) {
  if (metric.examples.length === 0) return null;
  return (
    <section>
      <div className="section-head">
        <h2>{t("metrics.workedExamples")}</h2>
        <span className="muted small">{t("metrics.eachOfThemATest", { examples: metric.examples.length })}</span>
      </div>
      <ol className="examples">
        {metric.examples.map((example, index) => (
          <li key={index}>
            <ExampleEntry example={example} metric={metric} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function ExampleEntry({ example, metric }: { example: Example; metric: MetricPage }) {
  return (
    <>
      <p className="example-head">
        <span {...IN_ENGLISH}>{example.why}</span>
        <span className="number">
          {example.state === "ok" || example.value !== null ? (
            <strong>{formatValue(example.value, metric)}</strong>
          ) : (
            <Status word={example.state} />
          )}
        </span>
      </p>
      <dl className="example-fields">
        {Object.entries(example.fields).map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>
              <LongText text={typeof value === "string" ? value : JSON.stringify(value)} />
            </dd>
          </div>
        ))}
        {example.evidence && example.evidence.length > 0 && (
          <div>
            <dt>{t("metrics.evidence")}</dt>
            <dd className="data-text" dir="auto">
              {example.evidence.map((text, index) => (
                <span key={index}>
                  <mark>{text}</mark>{" "}
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
