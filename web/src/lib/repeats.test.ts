import { expect, it } from "vitest";
import type { QuestionAnswerEntry } from "../api/generated/schema";
import { differentAnswers, repeatFigure } from "./repeats";

const answer = (test_id: string, response: string | null, status = "passed") =>
  ({ test_id, test_name: test_id, status, score: 1, response }) as QuestionAnswerEntry;

it("tells different answers apart, those given most often first", () => {
  const given = [
    answer("1", "Lyon", "failed"),
    answer("2", "Paris"),
    answer("3", "Paris"),
    answer("4", "Paris", "failed"),
  ];
  expect(differentAnswers(given).map(({ answer, times }) => [answer.test_id, times])).toEqual([
    ["2", 2],
    ["1", 1],
    ["4", 1],
  ]);
});

it.each([
  ["pass@1", "pass@1", "Chance that an answer passes"],
  ["pass@3", "pass@3", "Chance that at least one of 3 answers passes"],
  ["pass^5", "pass^5", "Chance that all of 5 answers pass"],
  ["consistency", "Consistency", "Chance that two answers get the same verdict"],
])("says what %s is", (name, label, note) => {
  expect(repeatFigure(name)).toEqual({ label, note });
});
