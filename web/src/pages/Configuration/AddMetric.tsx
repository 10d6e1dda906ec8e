import { type KeyboardEvent, useId, useState } from "react";
import { useRegistry } from "../../api/registry";
import { Button } from "../../components/ui/Button";
import { TextField } from "../../components/ui/Field";

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
      ? "Enter a metric."
      : taken.includes(text.trim())
        ? "Already in the list."
        : id
          ? ""
          : near.length
            ? "Several metrics fit; choose one of the list."
            : "Unknown metric.";
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
        label="Add a metric"
        list={list}
        dir="ltr"
        size={34}
        placeholder="A part of its name"
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
      <Button onClick={add}>Add</Button>
    </div>
  );
}
