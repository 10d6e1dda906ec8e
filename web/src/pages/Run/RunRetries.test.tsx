import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { RunRetries as Retries } from "../../api/generated/schema";
import { RunRetries } from "./RunRetries";

const group = (passed: number, judged: number) => ({
  passed,
  judged,
  pass_rate: judged ? passed / judged : null,
  mean_quality: null,
});
const read = (given: Partial<Retries> | null) =>
  renderToStaticMarkup(
    <RunRetries
      retries={
        given && {
          samples: 12,
          retried: group(3, 12),
          others: group(42, 48),
          p_value: 0.002,
          differs: true,
          ...given,
        }
      }
    />,
  ).replace(/<[^>]*>/g, "");

it("warns where retried samples pass less often, and where they pass more often", () => {
  const shown = read({});
  expect(shown).toMatch(
    /^12 samples were answered only after a retry\. 25(\.0)?% of them pass, 87\.5% of the others\./,
  );
  expect(shown).toMatch(/0\.002.* hiding its worst answers\.$/);
  expect(read({ retried: group(12, 12) })).toMatch(/depend on what it is asked\.$/);
});

it("shows the comparison without a warning where there is no difference", () => {
  const shown = read({ differs: false, p_value: 0.4 });
  expect(shown).toContain("87.5% of the others");
  expect(shown).not.toContain("Failures of the target");
});

it("says nothing without retries, and only their number without verdicts", () => {
  expect(read(null)).toBe("");
  expect(read({ samples: 1, retried: group(0, 0), p_value: null, differs: false })).toBe(
    "1 sample was answered only after a retry.",
  );
});
