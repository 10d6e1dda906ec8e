import { type FormEvent, useState } from "react";
import { addressOf, ask } from "../../api/client";
import type { ProfileEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Confirm } from "../../components/ui/Confirm";
import { TextArea, TextField } from "../../components/ui/Field";
import { Notice } from "../../components/ui/Notice";
import { VersionHistory } from "../../components/VersionHistory";
import { formatMoment } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { NumberMap } from "./NumberMap";
import { changesOf, freeName, nameProblem } from "./names";

interface ProfileViewProps {
  newest: ProfileEntry;
  taken: readonly string[];
  onDone: (words: string, name?: string) => void;
  onRemoved: (words: string) => void;
}

/** One profile: what it says, and for one's own ways to change it. */
export function ProfileView({ newest, taken, onDone, onRemoved }: ProfileViewProps) {
  const [query, setQuery] = useQuery();
  const { name } = newest;
  const version = newest.is_bundled ? undefined : Number(query.version) || undefined;
  const older = useAnswer("get_profile", version ? { name, version } : null);
  const history = useAnswer("list_profile_versions", newest.is_bundled ? null : { name });
  const profile = version ? older.data : newest;
  const done = (words: string) => {
    onDone(words);
    history.reload();
    setQuery({ version: null });
  };
  const thresholds = useAction((after: Readonly<Record<string, number>>) =>
    ask("change_thresholds", {
      name,
      body: { thresholds: changesOf(newest.thresholds, after), expected_version: newest.version },
    }),
  );
  const restore = useAction((text: string) =>
    ask("save_profile", { name, body: { text, expected_version: newest.version } }),
  );
  const remove = useAction(() => ask("delete_profile", { name }).then(() => true));
  if (!profile) return older.error ? <Notice tone="bad">{older.error.message}</Notice> : null;
  const canChange = !profile.is_bundled && !version;
  return (
    <>
      <header className="stack-tight">
        <div className="section-head">
          <h2 dir="auto">{name}</h2>
          {profile.is_bundled ? (
            <Badge>{t("configuration.bundled")}</Badge>
          ) : (
            <span className="muted small">
              {rich("common.versionBy", {
                version: profile.version,
                created: formatMoment(profile.created),
                part: <span dir="auto">{profile.author}</span>,
              })}
            </span>
          )}
          {version && <Badge tone="warn">{t("common.anOlderVersion")}</Badge>}
          <span className="row-actions push">
            {version && (
              <>
                <Button
                  disabled={restore.isBusy}
                  onClick={async () => {
                    const saved = await restore.run(profile.text);
                    if (saved) done(t("common.versionWasRestoredAsVersion", { version, version2: saved.version }));
                  }}
                >
                  {t("common.restoreThisVersion")}
                </Button>
                <Button kind="quiet" onClick={() => setQuery({ version: null })}>
                  {t("common.backToTheNewest")}
                </Button>
              </>
            )}
            <a className="button quiet" href={addressOf("export_profile", { name })} download={`${name}.toml`}>
              {t("common.export")}
            </a>
            {canChange && (
              <Confirm
                isQuiet
                label={t("common.delete")}
                question={t("common.deleteItsHistoryIsKept", { name })}
                sure={t("common.delete")}
                onSure={async () => {
                  if (await remove.run()) onRemoved(t("configuration.theProfileWasDeleted", { name }));
                }}
              />
            )}
          </span>
        </div>
        {profile.title && <p dir="auto">{profile.title}</p>}
        {profile.source && (
          <p className="muted small" dir="auto">
            {profile.source}
          </p>
        )}
        <p className="small">
          {rich("configuration.policyMeasures", {
            code: <code>{profile.policy}</code>,
            part: (
              <span dir="auto">
                {profile.metrics.length ? profile.metrics.join(", ") : t("configuration.whatIsRequested")}
              </span>
            ),
          })}
        </p>
        {(restore.problem || remove.problem) && <Notice tone="bad">{restore.problem || remove.problem}</Notice>}
      </header>
      <NumberMap
        key={`${profile.version}`}
        title={t("configuration.thresholds")}
        valueLabel={t("common.threshold")}
        saveLabel={t("configuration.saveTheThresholds")}
        file="thresholds"
        note={t("configuration.onEachMetricSOwnScale")}
        values={profile.thresholds}
        canChange={canChange}
        isBusy={thresholds.isBusy}
        problem={conflictWords(thresholds.problem, thresholds.status)}
        ownValue={(metric) => metric.threshold}
        ownLabel={t("configuration.ownThreshold")}
        onSave={async (after) => {
          const saved = await thresholds.run(after);
          if (saved) done(t("configuration.theThresholdsWereSavedAsVersion", { version: saved.version }));
        }}
      />
      {Object.keys(profile.weights).length > 0 && (
        <NumberMap
          title={t("configuration.weights")}
          valueLabel={t("configuration.weight")}
          saveLabel={t("configuration.saveTheWeights")}
          file="weights"
          note={t("configuration.ofMetricsInTheOverallScore")}
          values={profile.weights}
          canChange={false}
        />
      )}
      {profile.is_bundled ? (
        <details className="more">
          <summary>{t("configuration.theWholeProfileAsAFile")}</summary>
          <pre className="raw" dir="auto" tabIndex={0}>
            {profile.text}
          </pre>
        </details>
      ) : (
        <TextEditor key={`text-${profile.version}`} profile={profile} canChange={canChange} onDone={done} />
      )}
      <Copy profile={profile} taken={taken} onDone={onDone} />
      {!profile.is_bundled && (
        <details className="more" open={Boolean(version) || undefined}>
          <summary>{t("common.historyOf", { name })}</summary>
          <VersionHistory answer={history} shown={version} onShow={(next) => setQuery({ version: next })} />
        </details>
      )}
    </>
  );
}

/** The profile as the text of a file: metrics, options and policy are changed there. */
function TextEditor({
  profile,
  canChange,
  onDone,
}: {
  profile: ProfileEntry;
  canChange: boolean;
  onDone: (words: string) => void;
}) {
  const [text, setText] = useState(profile.text);
  const save = useAction(() =>
    ask("save_profile", { name: profile.name, body: { text, expected_version: profile.version } }),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const saved = await save.run();
    if (saved) onDone(t("configuration.theProfileWasSavedAsVersion", { version: saved.version }));
  };
  return (
    <details className="more">
      <summary>{t("configuration.theWholeProfileAsAFile")}</summary>
      <form className="form" onSubmit={submit}>
        <TextArea
          isCode
          label="TOML"
          rows={14}
          readOnly={!canChange}
          value={text}
          onChange={setText}
          problem={conflictWords(save.problem, save.status)}
          hint={t("configuration.profileFileHint")}
        />
        {canChange && (
          <div className="form-actions">
            <Button kind="primary" type="submit" disabled={save.isBusy || text === profile.text}>
              {t("configuration.saveAsANewVersion")}
            </Button>
            <Button kind="quiet" disabled={text === profile.text} onClick={() => setText(profile.text)}>
              {t("configuration.undo")}
            </Button>
          </div>
        )}
      </form>
    </details>
  );
}

function Copy({
  profile,
  taken,
  onDone,
}: {
  profile: ProfileEntry;
  taken: readonly string[];
  onDone: (words: string, name?: string) => void;
}) {
  const [name, setName] = useState(() => freeName(profile.name, taken));
  const [wrong, setWrong] = useState("");
  const copy = useAction(() => ask("save_profile", { name, body: { text: profile.text, expected_version: 0 } }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const problem = nameProblem(name, taken);
    setWrong(problem);
    if (!problem && (await copy.run()))
      onDone(t("configuration.wasCopiedTo", { name: profile.name, name2: name }), name);
  };
  return (
    <form className="form-row" onSubmit={submit} aria-label={t("configuration.copyNamed", { name: profile.name })}>
      <TextField
        label={profile.is_bundled ? t("configuration.copyToEdit") : t("configuration.copyIt")}
        value={name}
        dir="ltr"
        maxLength={64}
        onChange={setName}
        problem={wrong || copy.problem}
      />
      <Button type="submit" disabled={copy.isBusy}>
        {t("configuration.copy")}
      </Button>
    </form>
  );
}

function conflictWords(problem: string, status: number): string {
  return status === 409 ? t("configuration.someoneElseChangedItInTheMeantime", { problem }) : problem;
}
