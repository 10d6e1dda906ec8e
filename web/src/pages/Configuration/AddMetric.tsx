import { type KeyboardEvent, useId, useState } from "react";
import { useRegistry } from "../../api/registry";
import { Button } from "../../components/ui/Button";
import { TextField } from "../../components/ui/Field";
import { t } from "../../lib/messages";

/** Finds a metric by a part of its name and adds it. */
export function AddMetric({ taken, onAdd }: { taken: readonly string[]; onAdd: (id: string) => void }) {
  const { metrics, label } = useRegistry();
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const list = useId();
  const words = text.trim().toLowerCase();
  const free = [...metrics.keys()].filter((id) => !taken.includes(id));
  const near = free.filter((id) => `${id} ${label(id)}`.toLowerCase().includes(words)).slice(0, 30);
  const add = () => {
    const id = metrics.has(text.trim()) ? text.trim() : near.length === 1 ? near[0]! : "";
    const problem = !words
      ? t("configuration.enterAMetric")
      : taken.includes(text.trim())
        ? t("configuration.alreadyInTheList")
        : id
          ? ""
          : near.length
            ? t("configuration.severalMetricsFitChooseOneOf")
            : t("configuration.unknownMetric");
    setWrong(problem);
    if (problem) return;
    onAdd(id);
    setText("");
  };
  const enter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  return (
    <div className="form-row">
      <TextField
        label={t("configuration.addAMetric")}
        list={list}
        dir="ltr"
        size={34}
        placeholder={t("configuration.aPartOfItsName")}
        value={text}
        onChange={setText}
        onKeyDown={enter}
        problem={wrong}
      />
      <datalist id={list}>
        {near.map((id) => (
          <option key={id} value={id}>
            {label(id)}
          </option>
        ))}
      </datalist>
      <Button onClick={add}>{t("common.add")}</Button>
    </div>
  );
}
