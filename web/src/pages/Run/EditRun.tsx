import { type FormEvent, useState } from "react";
import { ask } from "../../api/client";
import type { RunDetail } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { forget } from "../../api/use-answer";
import { Button } from "../../components/ui/Button";
import { TextArea, TextField } from "../../components/ui/Field";
import { Notice } from "../../components/ui/Notice";
import { t } from "../../lib/messages";
import { go, href, pathTo } from "../../lib/url";

const NAME = /^[A-Za-z0-9][A-Za-z0-9 _.@:+-]{0,119}$/;

/** Another name, a note, and whether later runs are compared with this one. */
export function EditRun({ run, onChanged }: { run: RunDetail; onChanged: () => void }) {
  const [name, setName] = useState(run.name);
  const [note, setNote] = useState(run.note);
  const [isOpen, setOpen] = useState(false);
  const change = useAction((body: { name?: string; note?: string; is_baseline?: boolean }) =>
    ask("change_run", { name: run.name, body }),
  );
  const wrong = NAME.test(name.trim()) ? "" : t("common.expectedLettersDigitsSpacesAndAt");
  const apply = async (body: { name?: string; note?: string; is_baseline?: boolean }) => {
    const changed = await change.run(body);
    if (!changed) return;
    forget();
    setOpen(false);
    if (changed.name === run.name) onChanged();
    else go(href(pathTo("/runs/:run", { run: changed.name })), true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wrong) void apply({ note, ...(name.trim() === run.name ? {} : { name: name.trim() }) });
  };
  return (
    <>
      <Button
        disabled={change.isBusy || run.status !== "finished"}
        title={t("run.laterRunsOfTheSameQuestions")}
        onClick={() => void apply({ is_baseline: !run.is_baseline })}
      >
        {run.is_baseline ? t("run.unpin") : t("run.pinAsBaseline")}
      </Button>
      <details className="menu-list" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="button">{t("run.edit")}</summary>
        <form
          className="menu-form form"
          onSubmit={submit}
          noValidate
          aria-label={t("run.editNamed", { name: run.name })}
        >
          <TextField label={t("common.name")} value={name} maxLength={120} onChange={setName} problem={wrong} />
          <TextArea
            label={t("common.note")}
            hint={t("run.shownBesideTheRunAndOn")}
            value={note}
            maxLength={2000}
            onChange={setNote}
          />
          {change.problem && <Notice tone="bad">{change.problem}</Notice>}
          <Button kind="primary" type="submit" disabled={change.isBusy}>
            {t("common.save")}
          </Button>
        </form>
      </details>
    </>
  );
}
