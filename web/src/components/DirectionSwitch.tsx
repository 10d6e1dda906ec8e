import { useLayoutEffect, useState } from "react";
import { applyDirection, type Direction, readDirection } from "../lib/direction";
import { useQuery } from "../lib/url";
import { Icon, type IconName } from "./ui/Icon";

const DIRECTIONS: readonly { direction: Direction; icon: IconName; label: string }[] = [
  { direction: "ltr", icon: "ltr", label: "Left to right" },
  { direction: "rtl", icon: "rtl", label: "Right to left" },
];

/** Which way the pages run: for readers of Arabic, from the right. */
export function DirectionSwitch() {
  const [query, setQuery] = useQuery();
  const [chosen, setChosen] = useState(readDirection);
  useLayoutEffect(() => applyDirection(chosen), [chosen]);
  useLayoutEffect(() => {
    if (query.dir) setChosen(readDirection());
  }, [query.dir]);
  return (
    <div className="switch" role="group" aria-label="Direction">
      {DIRECTIONS.map(({ direction, icon, label }) => (
        <button
          key={direction}
          type="button"
          title={label}
          aria-label={label}
          aria-pressed={chosen === direction}
          onClick={() => {
            setChosen(direction);
            if (query.dir) setQuery({ dir: null });
          }}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
