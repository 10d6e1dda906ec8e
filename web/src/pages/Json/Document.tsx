import { Button } from "../../components/ui/Button";
import { TextArea } from "../../components/ui/Field";
import { FilePick } from "../../components/ui/FilePick";
import { t } from "../../lib/messages";

interface DocumentProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
  problem?: string;
  rows?: number;
  onRemove?: () => void;
}

/** A JSON document to paste or to open from a file. */
export function Document({ label, text, onChange, problem, rows = 13, onRemove }: DocumentProps) {
  return (
    <TextArea
      isCode
      label={label}
      rows={rows}
      value={text}
      onChange={onChange}
      problem={problem}
      placeholder={'{"name": "…"}'}
      tools={
        <>
          <FilePick
            isQuiet
            label={t("json.openAFile")}
            accept=".json,.txt,application/json,text/plain"
            onPick={async ([file]) => onChange(await file!.text())}
          />
          {onRemove && (
            <Button kind="quiet" icon="delete" aria-label={t("json.remove", { label })} onClick={onRemove} />
          )}
        </>
      }
    />
  );
}
