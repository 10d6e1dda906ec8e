import { type ReactNode, useEffect, useRef, useState } from "react";
import { ENDINGS, useUpload } from "../api/use-upload";
import { rich, t } from "../lib/messages";
import { go, href } from "../lib/url";
import { FilePick } from "./ui/FilePick";
import { Icon } from "./ui/Icon";
import { Notice } from "./ui/Notice";
import "./drop.css";

interface PageDropProps {
  /** Draws the page, given a button that opens a file. */
  children: (button: ReactNode) => ReactNode;
}

/** A page on which a file may be dropped anywhere: it is sent, and its columns are shown next. */
export function PageDrop({ children }: PageDropProps) {
  const send = useUpload();
  const take = useRef<(file: File | undefined) => void>(() => {});
  take.current = async (file) => {
    const sent = file && (await send.run(file));
    if (sent) go(href("/try", { tab: "file", upload: sent.id }));
  };
  const isOver = useWindowDrop((file) => take.current(file));
  return (
    <>
      {send.problem && <Notice tone="bad">{send.problem}</Notice>}
      {children(
        <FilePick
          label={send.isBusy ? t("shared.sending") : t("shared.scoreAFile")}
          accept={ENDINGS}
          isDisabled={send.isBusy}
          onPick={([file]) => take.current(file)}
        />,
      )}
      {isOver && (
        <div className="page-drop" aria-hidden="true">
          <p>{rich("shared.dropTheFileToScoreIt", { icon: <Icon name="upload" /> })}</p>
        </div>
      )}
    </>
  );
}

/** Whether files are held over the window; those that are dropped are handed on. */
function useWindowDrop(onDrop: (file: File | undefined) => void): boolean {
  const [depth, setDepth] = useState(0);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => hasFiles(event) && setDepth((count) => count + 1);
    const leave = (event: DragEvent) => hasFiles(event) && setDepth((count) => Math.max(0, count - 1));
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDepth(0);
      latest.current(event.dataTransfer?.files[0]);
    };
    const heard = { dragenter: enter, dragleave: leave, dragover: over, drop } as const;
    for (const [name, hear] of Object.entries(heard)) window.addEventListener(name, hear as EventListener);
    return () => {
      for (const [name, hear] of Object.entries(heard)) window.removeEventListener(name, hear as EventListener);
    };
  }, []);
  return depth > 0;
}
