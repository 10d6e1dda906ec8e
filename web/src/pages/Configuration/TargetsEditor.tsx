import { useState } from "react";
import { ask } from "../../api/client";
import { useAction } from "../../api/use-action";
import { forget, useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { Confirm } from "../../components/ui/Confirm";
import { Notice } from "../../components/ui/Notice";
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
            title="Targets"
            note={
              found.version
                ? `version ${found.version}, customised; the overview shows these metrics in this order`
                : "defaults of the PyAI-Slayer guide; the overview shows these metrics in this order"
            }
            values={found.targets}
            canChange
            isBusy={save.isBusy}
            problem={save.problem || reset.problem}
            ownValue={(metric) => found.defaults[metric.id] ?? null}
            ownLabel="Documented"
            onSave={async (targets) => {
              const saved = await save.run(targets);
              if (saved) done(`The targets were saved as version ${saved.version}.`);
            }}
            tools={
              found.version > 0 && (
                <Confirm
                  isQuiet
                  icon="swap"
                  label="Reset to defaults"
                  question="Reset your targets to the defaults?"
                  sure="Reset"
                  onSure={async () => {
                    if (await reset.run()) done("The default targets are in force again.");
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
