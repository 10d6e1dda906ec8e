import type { ReactNode } from "react";
import type { UploadEntry } from "../api/generated/schema";
import { ENDINGS, useUpload } from "../api/use-upload";
import { t } from "../lib/messages";
import { FileDrop } from "./ui/FilePick";
import { Notice } from "./ui/Notice";

/** A place to drop a file of records, which is sent to the server at once. */
export function UploadDrop({ onSent, children }: { onSent: (upload: UploadEntry) => void; children: ReactNode }) {
  const send = useUpload();
  return (
    <>
      <FileDrop
        label={send.isBusy ? t("shared.sending") : t("shared.chooseAFile")}
        accept={ENDINGS}
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
