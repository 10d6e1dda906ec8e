import { useLayoutEffect, useState } from "react";
import { applyDirection, readDirection } from "../lib/direction";
import { useQuery } from "../lib/url";
import { IconSwitch } from "./ui/IconSwitch";

const DIRECTIONS = [
  { value: "ltr", icon: "ltr", label: "Left to right" },
  { value: "rtl", icon: "rtl", label: "Right to left" },
] as const;

/** Which way the pages run: for readers of Arabic, from the right. */
export function DirectionSwitch() {
  const [query, setQuery] = useQuery();
  const [chosen, setChosen] = useState(readDirection);
  useLayoutEffect(() => applyDirection(chosen), [chosen]);
  useLayoutEffect(() => {
    if (query.dir) setChosen(readDirection());
  }, [query.dir]);
  return (
    <IconSwitch
      label="Direction"
      options={DIRECTIONS}
      chosen={chosen}
      onChoose={(direction) => {
        setChosen(direction);
        if (query.dir) setQuery({ dir: null });
      }}
    />
  );
}
