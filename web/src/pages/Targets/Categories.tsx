import type { Category } from "../../api/generated/schema";
import { type Tone, useRegistry } from "../../api/registry";
import { Meter } from "../../components/ui/Meter";
import { Tooltip } from "../../components/ui/Tooltip";
import { formatQuality, labelOf, PLAIN } from "../../lib/format";

const TONES: Readonly<Record<string, Tone>> = { excellent: "good", good: "good", fair: "warn" };

/** Categories with their scores; what they are made of is one hover away. */
export function Categories({ categories }: { categories: readonly Category[] }) {
  const { label } = useRegistry();
  return (
    <section aria-labelledby="categories">
      <div className="section-head">
        <h2 id="categories">Categories</h2>
        <span className="muted small">0 to 100, higher is better</span>
      </div>
      <dl className="categories">
        {categories.map((category) => (
          <div key={category.name}>
            <dt>
              <Tooltip
                content={
                  <>
                    <strong>The mean quality of</strong>
                    {Object.entries(category.parts).map(([part, score]) => (
                      <span key={part} className="tooltip-row">
                        <span>{category.inverted.includes(part) ? `Low ${label(part)}` : label(part)}</span>
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
              <Meter value={category.score} scale={PLAIN} tone={TONES[category.status ?? ""]} label={category.name} />
              <span className="number">{formatQuality(category.score)}</span>
              <span className="muted small">{category.status ?? "not scored"}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
