import type { ReactNode } from "react";
import { ask } from "../api/client";
import type { UploadEntry } from "../api/generated/schema";
import { useAction } from "../api/use-action";
import { FileDrop } from "./ui/FilePick";
import { Notice } from "./ui/Notice";

/** A place to drop a file of records, which is sent to the server at once. */
export function UploadDrop({ onSent, children }: { onSent: (upload: UploadEntry) => void; children: ReactNode }) {
  const send = useAction((file: File) => {
    const body = new FormData();
    body.append("file", file, file.name);
    return ask("create_upload", { body });
  });
  return (
    <>
      <FileDrop
        label={send.isBusy ? "Sending…" : "Choose a file"}
        accept=".jsonl,.ndjson,.gz,.json,.csv,.parquet"
        isDisabled={send.isBusy}
        onPick={async ([file]) => {
          const sent = await send.run(file!);
          if (sent) onSent(sent);
        }}
      >
        {children}
      </FileDrop>
      {send.problem && <Notice tone="bad">{send.problem}</Notice>}
    </>
  );
}
