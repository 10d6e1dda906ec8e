import { type DragEvent, type ReactNode, useRef, useState } from "react";
import "./field.css";

interface FilePickProps {
  label: string;
  accept?: string;
  isMultiple?: boolean;
  isQuiet?: boolean;
  isDisabled?: boolean;
  onPick: (files: File[]) => void;
}

/** A button that opens files of the reader's own machine. */
export function FilePick({
  label,
  accept,
  isMultiple = false,
  isQuiet = false,
  isDisabled = false,
  onPick,
}: FilePickProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <label className={`button file-pick ${isQuiet ? "quiet" : ""}`} aria-disabled={isDisabled || undefined}>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={isMultiple}
        disabled={isDisabled}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          if (input.current) input.current.value = "";
          if (files.length) onPick(files);
        }}
      />
      <span>{label}</span>
    </label>
  );
}

/** A place to drop a file on, with a button for those who do not drag. */
export function FileDrop({ children, ...pick }: FilePickProps & { children?: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(is);
  };
  return (
    <div
      className="file-drop"
      data-over={isOver || undefined}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event);
        const files = [...event.dataTransfer.files];
        if (files.length && !pick.isDisabled) pick.onPick(pick.isMultiple ? files : files.slice(0, 1));
      }}
    >
      {children}
      <FilePick {...pick} />
    </div>
  );
}
