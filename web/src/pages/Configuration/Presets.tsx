import { type FormEvent, useState } from "react";
import { ask } from "../../api/client";
import type { PresetEntry, ProfileEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { Foldable } from "../../components/Foldable";
import { Await } from "../../components/ui/Await";
import { Button } from "../../components/ui/Button";
import { TextField } from "../../components/ui/Field";
import { Meter } from "../../components/ui/Meter";
import { Notice } from "../../components/ui/Notice";
import { type Column, Table } from "../../components/ui/Table";
import { formatNumber, labelOf } from "../../lib/format";
import { rich, t } from "../../lib/messages";
import { numberProblem } from "../../lib/strategies";
import { href, useQuery } from "../../lib/url";
import { freeName, nameProblem, weighted } from "./names";

/** Weights of departments side by side, and a way to make one's own from them. */
export function Presets() {
  const [query, setQuery] = useQuery();
  const presets = useAnswer("list_presets", {}, { isFixed: true });
  const profiles = useAnswer("list_profiles", {});
  return (
    <Await answer={presets}>
      {(found) => {
        const chosen = found.find(({ name }) => name === query.preset) ?? found[0]!;
        const profile = profiles.data?.find(({ name }) => name === chosen.name);
        return (
          <div className="stack">
            <PresetTable
              presets={found}
              chosen={chosen.name}
              onChoose={(preset) => {
                setQuery({ preset });
                requestAnimationFrame(() => document.getElementById("weights")?.focus());
              }}
            />
            {profile && (
              <WeightsForm
                key={chosen.name}
                profile={profile}
                taken={profiles.data!.map(({ name }) => name)}
                onMade={profiles.reload}
              />
            )}
          </div>
        );
      }}
    </Await>
  );
}

function PresetTable({
  presets,
  chosen,
  onChoose,
}: {
  presets: readonly PresetEntry[];
  chosen: string;
  onChoose: (name: string) => void;
}) {
  const dimensions = Object.keys(presets[0]?.weights ?? {});
  const columns: Column<PresetEntry>[] = [
    {
      id: "preset",
      label: t("configuration.preset"),
      value: ({ name }) => name,
      cell: ({ name, title, policy }) => (
        <span className="preset-name">
          <button
            type="button"
            className="link"
            aria-pressed={name === chosen}
            title={title}
            onClick={() => onChoose(name)}
          >
            <Foldable text={name} />
          </button>
          <span className="id">{policy}</span>
        </span>
      ),
    },
    ...dimensions.map(
      (dimension): Column<PresetEntry> => ({
        id: dimension,
        label: labelOf(dimension),
        value: ({ weights }) => weights[dimension],
        cell: ({ weights }) => (
          <span className="weight">
            <span className="number">{formatNumber(weights[dimension] ?? 0, 2)}</span>
            <Meter value={weights[dimension] ?? 0} scale={{ unit: "", range: [0, 0.3] }} label={labelOf(dimension)} />
          </span>
        ),
      }),
    ),
  ];
  return (
    <div className="presets">
      <Table
        caption={t("configuration.presetsAndTheirWeights")}
        file="presets"
        columns={columns}
        rows={presets}
        rowKey={({ name }) => name}
      />
    </div>
  );
}

/** The weights of a preset, changed and kept as a profile of one's own. */
function WeightsForm({
  profile,
  taken,
  onMade,
}: {
  profile: ProfileEntry;
  taken: readonly string[];
  onMade: () => void;
}) {
  const metric = weighted(profile);
  const before = (metric ? profile.options[metric]!.weights : {}) as Readonly<Record<string, number>>;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(before).map(([name, weight]) => [name, String(weight)])),
  );
  const [name, setName] = useState(() => freeName(profile.name, taken));
  const [isTried, setTried] = useState(false);
  const [made, setMade] = useState("");
  const problems = Object.fromEntries(
    Object.entries(texts).map(([dimension, text]) => [
      dimension,
      text.trim() ? numberProblem(text, 0, 1e6) : t("common.expectedANumber"),
    ]),
  );
  const wrongName = nameProblem(name, taken);
  const save = useAction(() => {
    const weights = Object.fromEntries(Object.entries(texts).map(([dimension, text]) => [dimension, Number(text)]));
    const options = { ...profile.options, [metric!]: { ...profile.options[metric!], weights } };
    const { title, source, metrics, thresholds, weights: own, policy } = profile;
    return ask("save_profile", {
      name,
      body: {
        title: t("configuration.weightsChanged", { title }),
        source,
        metrics,
        thresholds,
        options,
        weights: own,
        policy,
        expected_version: 0,
      },
    });
  });
  if (!metric) return null;
  const total = Object.values(texts).reduce((sum, text) => sum + (Number(text) || 0), 0);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrongName || Object.values(problems).some(Boolean) || !(await save.run())) return;
    setMade(name);
    onMade();
  };
  return (
    <section aria-labelledby="weights">
      <div className="section-head">
        <h2 id="weights" tabIndex={-1}>
          {t("configuration.yourOwnWeightsFrom", { name: profile.name })}
        </h2>
        <span className="muted small" dir="auto">
          {profile.title}
        </span>
      </div>
      <form className="form" onSubmit={submit} noValidate>
        <div className="field-grid">
          {Object.entries(texts).map(([dimension, text]) => (
            <TextField
              key={dimension}
              label={labelOf(dimension)}
              inputMode="decimal"
              value={text}
              problem={problems[dimension]}
              onChange={(next) => setTexts({ ...texts, [dimension]: next })}
            />
          ))}
        </div>
        <p className="muted small number">
          {t("configuration.togetherSharesOfThatSumCount", { total: formatNumber(total, 2) })}
        </p>
        {save.problem && <Notice tone="bad">{save.problem}</Notice>}
        <div className="form-row">
          <TextField
            label={t("configuration.saveAsProfile")}
            value={name}
            dir="ltr"
            maxLength={64}
            onChange={setName}
            problem={isTried && !made ? wrongName : ""}
          />
          <Button kind="primary" type="submit" disabled={save.isBusy}>
            {t("common.save")}
          </Button>
        </div>
        {made && (
          <Notice tone="good" takesFocus>
            {rich("configuration.kept", {
              link: <a href={href("/configuration", { profile: made })}>{t("configuration.open", { made })}</a>,
            })}
          </Notice>
        )}
      </form>
    </section>
  );
}
