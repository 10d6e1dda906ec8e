import { useState } from "react";
import { ask } from "../../api/client";
import { useAction } from "../../api/use-action";
import { forget, useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { Confirm } from "../../components/ui/Confirm";
import { Notice } from "../../components/ui/Notice";
import { t } from "../../lib/messages";
import { NumberMap } from "./NumberMap";

/** The critical metrics of the overview and the targets that they are held against. */
export function TargetsEditor() {
  const answer = useAnswer("get_targets", {});
  const [said, setSaid] = useState("");
  const save = useAction((targets: Readonly<Record<string, number>>) =>
    ask("save_targets", { body: { targets: { ...targets } } }),
  );
  const reset = useAction(() => ask("reset_targets", {}));
  const done = (words: string) => {
    forget();
    answer.reload();
    setSaid(words);
  };
  return (
    <Await answer={answer}>
      {(found) => (
        <div className="stack">
          {said && <Notice tone="good">{said}</Notice>}
          <NumberMap
            key={`${found.version}-${JSON.stringify(found.targets)}`}
            title={t("configuration.targetsTitle")}
            valueLabel={t("configuration.target")}
            saveLabel={t("configuration.saveTheTargets")}
            file="targets"
            note={
              found.version
                ? t("configuration.versionCustomisedTheOverviewShows", { version: found.version })
                : t("configuration.defaultsOfThePyAISlayerGuide")
            }
            values={found.targets}
            canChange
            isBusy={save.isBusy}
            problem={save.problem || reset.problem}
            ownValue={(metric) => found.defaults[metric.id] ?? null}
            ownLabel={t("configuration.documented")}
            onSave={async (targets) => {
              const saved = await save.run(targets);
              if (saved) done(t("configuration.theTargetsWereSavedAsVersion", { version: saved.version }));
            }}
            tools={
              found.version > 0 && (
                <Confirm
                  isQuiet
                  icon="swap"
                  label={t("configuration.resetToDefaults")}
                  question={t("configuration.resetYourTargetsToTheDefaults")}
                  sure={t("common.reset")}
                  onSure={async () => {
                    if (await reset.run()) done(t("configuration.theDefaultTargetsAreInForce"));
                  }}
                />
              )
            }
          />
        </div>
      )}
    </Await>
  );
}
