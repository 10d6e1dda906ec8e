import { type FormEvent, useState } from "react";
import { addressOf, ask } from "../api/client";
import type { StrategiesEntry } from "../api/generated/schema";
import { useAction } from "../api/use-action";
import { useAnswer } from "../api/use-answer";
import { formatCount, formatMoment } from "../lib/format";
import { rich, t } from "../lib/messages";
import { optionsOf, STRATEGIES, type StrategyEntry, strategyOf, withStrategy } from "../lib/strategies";
import { useQuery } from "../lib/url";
import { StrategyForm } from "./StrategyForm";
import { Await } from "./ui/Await";
import { Badge } from "./ui/Badge";
import { Button } from "./ui/Button";
import { Confirm } from "./ui/Confirm";
import { EmptyState } from "./ui/EmptyState";
import { TextField } from "./ui/Field";
import { FilePick } from "./ui/FilePick";
import { Notice } from "./ui/Notice";
import { Select } from "./ui/Select";
import { type Column, Table } from "./ui/Table";
import { VersionHistory } from "./VersionHistory";
import "./strategies.css";

/** Named sets of field strategies: add, change, remove, import, export; every version stays. */
export function StrategyEditor() {
  const [query, setQuery] = useQuery();
  const sets = useAnswer("list_strategies", {});
  const [said, setSaid] = useState("");
  const done = (words: string, set?: string) => {
    setSaid(words);
    sets.reload();
    if (set !== undefined) setQuery({ set, version: null });
  };
  return (
    <Await answer={sets}>
      {(found) => {
        const chosen = found.find((set) => set.name === query.set) ?? (query.set ? undefined : found[0]);
        return (
          <div className="stack strategies">
            <div className="form-row">
              {found.length > 0 && (
                <Select
                  label={t("shared.set")}
                  options={found.map((set) => ({
                    value: set.name,
                    label: `${set.name} (${formatCount(Object.keys(set.strategies).length)})`,
                  }))}
                  value={chosen?.name ?? ""}
                  all={chosen ? undefined : t("shared.chooseASet")}
                  onChange={(set) => {
                    setSaid("");
                    setQuery({ set, version: null });
                  }}
                />
              )}
              <NewSet taken={found.map((set) => set.name)} onMade={(name, words) => done(words, name)} />
            </div>
            {said && <Notice tone="good">{said}</Notice>}
            {chosen ? (
              <StrategySet key={chosen.name} set={chosen} onDone={done} />
            ) : (
              <EmptyState title={found.length ? t("shared.chooseASet") : t("shared.noFieldStrategiesYet")}>
                {t("shared.withoutASetEveryFieldIs")}
              </EmptyState>
            )}
          </div>
        );
      }}
    </Await>
  );
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Makes a set, empty or from a strategy file. */
function NewSet({ taken, onMade }: { taken: readonly string[]; onMade: (name: string, words: string) => void }) {
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState("");
  const make = useAction((file: File | null) =>
    readStrategies(file).then((strategies) => ask("save_strategies", { name, body: { strategies } })),
  );
  const start = async (file: File | null) => {
    const problem = !NAME.test(name)
      ? t("common.expectedLettersDigitsOrAtMost")
      : taken.includes(name)
        ? t("shared.aSetWithThisNameAlready")
        : "";
    setWrong(problem);
    if (problem) return;
    const made = await make.run(file);
    if (!made) return;
    onMade(
      name,
      file ? t("shared.wasImportedAs", { name: file.name, name2: name }) : t("shared.theSetWasCreated", { name }),
    );
    setName("");
  };
  return (
    <form
      className="form-row"
      aria-label={t("shared.newSet")}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void start(null);
      }}
    >
      <TextField
        label={t("shared.newSet")}
        value={name}
        onChange={setName}
        maxLength={64}
        placeholder="invoices"
        dir="ltr"
        problem={wrong || make.problem}
      />
      <Button type="submit" disabled={make.isBusy}>
        {t("common.makeIt")}
      </Button>
      <FilePick
        label={t("shared.importAFile")}
        accept=".json,application/json"
        isDisabled={make.isBusy}
        onPick={([file]) => void start(file!)}
      />
    </form>
  );
}

/** The object of a strategy file; the server says what is wrong inside it. */
async function readStrategies(file: File | null): Promise<{ [name: string]: unknown }> {
  if (!file) return {};
  let found: unknown;
  try {
    found = JSON.parse(await file.text());
  } catch (error) {
    throw new Error(
      t("shared.isNotJSON", {
        name: file.name,
        message: error instanceof Error ? error.message : String(error),
      }),
    );
  }
  if (typeof found !== "object" || found === null || Array.isArray(found))
    throw new Error(t("shared.doesNotContainAnObjectExpectedField", { name: file.name }));
  return found as { [name: string]: unknown };
}

type Row = [string, unknown];

function StrategySet({ set, onDone }: { set: StrategiesEntry; onDone: (words: string, set?: string) => void }) {
  const { name } = set;
  const [query, setQuery] = useQuery();
  const version = Number(query.version) || undefined;
  const older = useAnswer("get_strategies", version ? { name, version } : null);
  const history = useAnswer("list_strategies_versions", { name });
  const [edited, setEdited] = useState<{ field: string; entry: unknown }>();
  const changed = (words: string) => {
    onDone(words);
    history.reload();
  };
  const change = useAction((field: string, strategy: StrategyEntry | null) =>
    ask("change_strategy", { name, body: { field, strategy } }),
  );
  const replace = useAction(async (strategies: { [name: string]: unknown } | File) =>
    ask("save_strategies", {
      name,
      body: { strategies: strategies instanceof File ? await readStrategies(strategies) : strategies },
    }),
  );
  const remove = useAction(() => ask("delete_strategies", { name }).then(() => true));
  const save = async (field: string, entry: StrategyEntry) => {
    const saved = await change.run(field, entry);
    if (!saved) return false;
    setEdited(undefined);
    changed(t("shared.usesAsOfVersion", { field, entry: strategyOf(entry), version: saved.version }));
    return true;
  };
  const shown = version ? older.data : set;
  const columns: Column<Row>[] = [
    {
      id: "field",
      label: t("common.field"),
      value: ([field]) => field,
      cell: ([field]) => <code dir="auto">{field}</code>,
    },
    {
      id: "strategy",
      label: t("common.strategy"),
      value: ([, entry]) => strategyOf(entry),
      cell: ([field, entry]) =>
        version ? (
          strategyOf(entry)
        ) : (
          <select
            className="cell-select"
            aria-label={t("shared.strategyOf", { field })}
            value={strategyOf(entry)}
            disabled={change.isBusy}
            onChange={(event) => void save(field, withStrategy(entry, event.target.value))}
          >
            {STRATEGIES.map((word) => (
              <option key={word}>{word}</option>
            ))}
          </select>
        ),
    },
    {
      id: "options",
      label: t("common.options"),
      isWide: true,
      value: ([, entry]) => optionsOf(entry),
      cell: ([, entry]) => (
        <span dir="auto">{optionsOf(entry) || <span className="muted">{t("shared.asTheDocument")}</span>}</span>
      ),
    },
  ];
  if (!version)
    columns.push({
      id: "actions",
      label: t("common.change"),
      cell: ([field, entry]) => (
        <span className="row-actions">
          <Button kind="quiet" aria-label={t("shared.change", { field })} onClick={() => setEdited({ field, entry })}>
            {t("common.change")}
          </Button>
          <Button
            kind="quiet"
            icon="delete"
            aria-label={t("shared.remove", { field })}
            disabled={change.isBusy}
            onClick={async () => {
              if (await change.run(field, null)) changed(t("shared.isComparedByItsTypeAgain", { field }));
            }}
          />
        </span>
      ),
    });
  return (
    <>
      <section aria-labelledby="set-name">
        <div className="section-head">
          <h2 id="set-name" dir="auto">
            {name}
          </h2>
          <span className="muted small">
            {rich("common.versionBy", {
              version: shown?.version ?? version,
              created: formatMoment(shown?.created),
              part: <span dir="auto">{shown?.author}</span>,
            })}
          </span>
          {version && <Badge tone="warn">{t("common.anOlderVersion")}</Badge>}
          <span className="row-actions push">
            {version ? (
              <>
                <Button
                  disabled={!older.data || replace.isBusy}
                  onClick={async () => {
                    const saved = await replace.run(older.data!.strategies);
                    if (!saved) return;
                    setQuery({ version: null });
                    changed(t("common.versionWasRestoredAsVersion", { version, version2: saved.version }));
                  }}
                >
                  {t("common.restoreThisVersion")}
                </Button>
                <Button kind="quiet" onClick={() => setQuery({ version: null })}>
                  {t("common.backToTheNewest")}
                </Button>
              </>
            ) : (
              <>
                <FilePick
                  isQuiet
                  label={t("shared.import")}
                  accept=".json,application/json"
                  onPick={async ([file]) => {
                    const saved = await replace.run(file!);
                    if (saved) changed(t("shared.wasImportedAsVersion", { name: file!.name, version: saved.version }));
                  }}
                />
                <a className="button quiet" href={addressOf("export_strategies", { name })} download={`${name}.json`}>
                  {t("common.export")}
                </a>
                <Confirm
                  isQuiet
                  label={t("shared.deleteTheSet")}
                  question={t("common.deleteItsHistoryIsKept", { name })}
                  sure={t("common.delete")}
                  onSure={async () => {
                    if (await remove.run()) onDone(t("shared.theSetWasDeleted", { name }), "");
                  }}
                />
              </>
            )}
          </span>
        </div>
        {(replace.problem || remove.problem) && <Notice tone="bad">{replace.problem || remove.problem}</Notice>}
        {!version && (
          <StrategyForm
            edited={edited}
            isBusy={change.isBusy}
            problem={change.problem}
            onSave={save}
            onCancel={() => setEdited(undefined)}
          />
        )}
        {shown && Object.keys(shown.strategies).length > 0 ? (
          <Table
            caption={t("shared.fieldStrategiesOf", { name })}
            file={`${name}-strategies`}
            columns={columns}
            rows={Object.entries(shown.strategies)}
            rowKey={([field]) => field}
          />
        ) : (
          <p className="muted small">
            {version ? t("shared.thisVersionHasNoFieldStrategies") : t("shared.noFieldStrategiesYetAllFields")}
          </p>
        )}
      </section>
      <details className="more">
        <summary>{t("common.historyOf", { name })}</summary>
        <VersionHistory answer={history} shown={version} onShow={(next) => setQuery({ version: next })} />
      </details>
    </>
  );
}
