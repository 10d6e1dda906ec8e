/** A file of records on its way to the server. */
import { ask } from "./client";
import type { UploadEntry } from "./generated/schema";
import { type Action, useAction } from "./use-action";

/** The files that are read, for the browser's file dialogue. */
export const ENDINGS = ".jsonl,.ndjson,.gz,.json,.csv,.tsv,.parquet,.xlsx";

export function useUpload(): Action<[File], UploadEntry> {
  return useAction((file: File) => {
    const body = new FormData();
    body.append("file", file, file.name);
    return ask("create_upload", { body });
  });
}
