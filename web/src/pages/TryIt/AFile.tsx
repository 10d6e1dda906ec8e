import { type FormEvent, useState } from "react";
import { ask } from "../../api/client";
import type { UploadEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { MetricChoice, type MetricChosen, NO_CHOICE } from "../../components/MetricChoice";
import { UploadDrop } from "../../components/UploadDrop";
import { Button } from "../../components/ui/Button";
import { Confirm } from "../../components/ui/Confirm";
import { Checkbox, TextField } from "../../components/ui/Field";
import { Notice } from "../../components/ui/Notice";
import { Select } from "../../components/ui/Select";
import { useDraft } from "../../lib/draft";
import { formatMoment } from "../../lib/format";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { JobList } from "./JobList";
import { JobView } from "./JobView";
import { type ColumnChoice, Preview } from "./Preview";

const RUN = /^[A-Za-z0-9][A-Za-z0-9 _.@:+-]{0,119}$/;

/** A file of answers, scored in the background and kept as a run. */
export function AFile() {
  const [query, setQuery] = useQuery();
  const uploads = useAnswer("list_uploads", {});
  const upload = uploads.data?.find(({ id }) => id === query.upload);
  const remove = useAction((upload_id: string) => ask("delete_upload", { upload_id }).then(() => true));
  return (
    <div className="stack">
      {query.job && <JobView key={query.job} id={query.job} />}
      {!query.job && (
        <section className="form" aria-label={t("tryIt.theFile")}>
          {!upload && (
            <UploadDrop
              onSent={(sent) => {
                uploads.reload();
                setQuery({ upload: sent.id, job: null });
              }}
            >
              <p>{t("tryIt.dropAFileOfAnswersHere")}</p>
              <p className="muted small">{t("tryIt.csvExcelJSONLinesJSONOr")}</p>
            </UploadDrop>
          )}
          {remove.problem && <Notice tone="bad">{remove.problem}</Notice>}
          {uploads.data && uploads.data.length > 0 && (
            <div className="form-row sent-before">
              <Select
                label={upload ? t("tryIt.theFile") : t("tryIt.orAFileThatWasUploaded")}
                all={upload ? t("tryIt.anotherFile") : t("tryIt.chooseOne")}
                options={uploads.data.map((one) => ({
                  value: one.id,
                  label: t("tryIt.records", {
                    name: one.name,
                    rows: one.rows,
                    created: formatMoment(one.created),
                  }),
                }))}
                value={query.upload ?? ""}
                onChange={(id) => setQuery({ upload: id, job: null })}
              />
              {upload && (
                <Confirm
                  isQuiet
                  label={t("tryIt.deleteTheFile")}
                  question={t("tryIt.deleteItFromTheServer")}
                  sure={t("common.delete")}
                  onSure={async () => {
                    if (!(await remove.run(upload.id))) return;
                    setQuery({ upload: null });
                    uploads.reload();
                  }}
                />
              )}
            </div>
          )}
        </section>
      )}
      {!query.job && upload && (
        <StartForm key={upload.id} upload={upload} onStarted={(job) => setQuery({ job, upload: null }, false)} />
      )}
      <JobList chosen={query.job} />
    </div>
  );
}

function StartForm({ upload, onStarted }: { upload: UploadEntry; onStarted: (job: string) => void }) {
  const [choice, setChoice] = useDraft<MetricChosen>("try-choice", NO_CHOICE);
  const [run, setRun] = useState("");
  const [limit, setLimit] = useState("");
  const [scoresRepeats, setScoresRepeats] = useState(false);
  const [escalates, setEscalates] = useState(false);
  const me = useAnswer("get_me", {}, { isFixed: true });
  const [columns, setColumns] = useState<ColumnChoice>({});
  const [isReady, setReady] = useState(false);
  const start = useAction(() =>
    ask("start_job", {
      body: {
        upload: upload.id,
        metrics: [...choice.metrics],
        profile: choice.profile || null,
        policy: choice.policy || null,
        run: run.trim() || null,
        limit: limit.trim() ? Number(limit) : null,
        columns: { ...columns },
        score_repeats: scoresRepeats,
        escalate: escalates,
      },
    }),
  );
  const problems = {
    run: run.trim() && !RUN.test(run.trim()) ? t("common.expectedLettersDigitsSpacesAndAt") : "",
    limit: limit.trim() && !/^[1-9]\d{0,8}$/.test(limit.trim()) ? t("tryIt.expectedAWholeNumberOf1Or") : "",
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (problems.run || problems.limit) return;
    const job = await start.run();
    if (job) onStarted(job.id);
  };
  return (
    <form className="form" onSubmit={submit} noValidate aria-label={t("tryIt.howItIsScored")}>
      <Preview upload={upload} columns={columns} onChange={setColumns} onRead={setReady} />
      <details className="choices">
        <summary>
          {t("tryIt.metrics", {
            value: choice.metrics.length || choice.profile ? t("tryIt.yourChoice") : t("tryIt.chosenByWhatTheFileHas"),
          })}
        </summary>
        <MetricChoice value={choice} onChange={setChoice} />
      </details>
      <div className="form-row">
        <TextField
          label={t("tryIt.nameOfTheRun")}
          hint={t("tryIt.generatedIfEmpty")}
          maxLength={120}
          placeholder="monday"
          value={run}
          onChange={setRun}
          problem={problems.run}
        />
        <TextField
          label={t("tryIt.firstRecordsOnly")}
          hint={t("tryIt.allIfEmpty")}
          inputMode="numeric"
          size={10}
          value={limit}
          onChange={setLimit}
          problem={problems.limit}
        />
      </div>
      <Checkbox label={t("tryIt.scoreEveryAnswer")} isChecked={scoresRepeats} onChange={setScoresRepeats} />
      {me.data?.judge && (
        <Checkbox
          label={t("tryIt.putUnsureSamplesToTheJudge")}
          hint={t("tryIt.theirTextsGoTo", { judge: me.data.judge })}
          isChecked={escalates}
          onChange={setEscalates}
        />
      )}
      {start.problem && <Notice tone="bad">{start.problem}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" disabled={start.isBusy || !isReady}>
          {start.isBusy ? t("common.starting") : t("tryIt.scoreTheFile")}
        </Button>
      </div>
    </form>
  );
}
