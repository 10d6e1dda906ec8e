import type { Category } from "../../api/generated/schema";
import { type Tone, useRegistry } from "../../api/registry";
import { Meter } from "../../components/ui/Meter";
import { Tooltip } from "../../components/ui/Tooltip";
import { formatQuality, labelOf, PLAIN } from "../../lib/format";
import { t, word } from "../../lib/messages";

const TONES: Readonly<Record<string, Tone>> = { excellent: "good", good: "good", fair: "warn" };

/** Categories with their scores; what they are made of is one hover away. */
export function Categories({ categories }: { categories: readonly Category[] }) {
  const { label } = useRegistry();
  return (
    <section aria-labelledby="categories">
      <div className="section-head">
        <h2 id="categories">{t("targets.categories")}</h2>
        <span className="muted small">{t("common.0To100HigherIsBetter")}</span>
      </div>
      <dl className="categories">
        {categories.map((category) => (
          <div key={category.name}>
            <dt>
              <Tooltip
                content={
                  <>
                    <strong>{t("targets.theMeanQualityOf")}</strong>
                    {Object.entries(category.parts).map(([part, score]) => (
                      <span key={part} className="tooltip-row">
                        <span>
                          {category.inverted.includes(part)
                            ? t("targets.lowMetric", { part: label(part) })
                            : label(part)}
                        </span>
                        <span className="number">{formatQuality(score)}</span>
                      </span>
                    ))}
                  </>
                }
              >
                {labelOf(category.name)}
              </Tooltip>
            </dt>
            <dd>
              <Meter
                value={category.score}
                scale={PLAIN}
                tone={TONES[category.status ?? ""]}
                label={labelOf(category.name)}
              />
              <span className="number">{formatQuality(category.score)}</span>
              <span className="muted small">{category.status ? word(category.status) : t("targets.notScored")}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
