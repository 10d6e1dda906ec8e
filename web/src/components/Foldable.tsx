import { Fragment } from "react";

/** An id or a file name that may be folded behind its dots, dashes and underscores. */
export function Foldable({ text }: { text: string }) {
  return text.split(/(?<=[._-])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
