import type { TestEntry } from "../api/generated/schema";
import { href, pathTo, type Query } from "../lib/url";

/** A test in a short list: its name, what was asked and what was answered, a line each. */
export function TestExcerpt({ test, list }: { test: TestEntry; list?: Query }) {
  return (
    <>
      <a href={href(pathTo("/tests/:id", { id: test.test_id }), list)} dir="auto">
        {test.test_name || test.test_id}
      </a>
      <span className="excerpt muted" dir="auto">
        {test.query}
      </span>
      <span className="excerpt" dir="auto">
        {test.response}
      </span>
    </>
  );
}
