import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { RunDetail } from "../../api/generated/schema";
import { hasAbout, RunAbout, unreadOf } from "./RunAbout";

const run = (given: Partial<RunDetail>) =>
  ({ unread: 0, problems: [], settings: {}, judge: null, ...given }) as unknown as RunDetail;
const read = (given: Partial<RunDetail>) =>
  renderToStaticMarkup(<RunAbout run={run(given)} />).replace(/<[^>]*>/g, " ");
const JUDGE = {
  calls: 1200,
  cached: 3,
  prompt_tokens: 50_000,
  completion_tokens: 900,
  is_usage_estimated: false,
  usd: 0.25,
};

it("tells records that could not be read from questions that got no answer", () => {
  expect(unreadOf(run({ unread: 1 }))).toBe("1 record could not be read");
  expect(unreadOf(run({}))).toBe("All records were read");
  expect(unreadOf(run({ unread: 2, settings: { target: "python:bot" } }))).toBe("2 questions got no answer");
  expect(unreadOf(run({ settings: { target: "python:bot" } }))).toBe("All questions were answered");
});

it("says what the judge took, and when its price is not known", () => {
  expect(read({ judge: JUDGE })).toMatch(/Calls\s+1,200 .*Tokens in\s+50,000 .*Cost\s+0\.25 USD/);
  expect(read({ judge: { ...JUDGE, usd: null, is_usage_estimated: true } })).toMatch(
    /Tokens in, estimated.*price is not known/,
  );
});

it("has nothing to say of a run without settings, judge and problems", () => {
  expect(
    [{}, { judge: JUDGE }, { problems: ["x"] }, { settings: { seed: 0 } }].map((given) => hasAbout(run(given))),
  ).toEqual([false, true, true, true]);
});
