import type { ReactNode } from "react";
import type { Answer } from "../../api/use-answer";
import { PageHead } from "../PageHead";
import { ErrorState } from "./ErrorState";
import { Loading } from "./Loading";

interface AwaitProps<Data> {
  answer: Answer<Data>;
  /** The page's heading while there is no answer that has a better one. */
  title?: string;
  children: (data: Data) => ReactNode;
}

/** Shows an answer when it is there, else why not. */
export function Await<Data>({ answer, title, children }: AwaitProps<Data>) {
  if (answer.error || answer.data === undefined)
    return (
      <>
        {title && <PageHead title={title} />}
        {answer.error ? <ErrorState error={answer.error} retry={answer.reload} /> : <Loading />}
      </>
    );
  return <div aria-busy={answer.isLoading}>{children(answer.data)}</div>;
}
