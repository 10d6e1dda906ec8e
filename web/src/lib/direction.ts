/** Which way the interface runs; texts from data keep their own. */
import { parseHash } from "./url";

export type Direction = "ltr" | "rtl";

const NAME = "assay-direction";

const known = (word: string | null | undefined): Direction | null => (word === "ltr" || word === "rtl" ? word : null);

/** As the address says (`?dir=rtl`), else as chosen before. */
export function readDirection(): Direction {
  const asked = known(parseHash(window.location.hash).query.dir);
  if (asked) return asked;
  try {
    return known(localStorage.getItem(NAME)) ?? "ltr";
  } catch {
    return "ltr"; // a browser may refuse storage, as for files from disk
  }
}

export function applyDirection(direction: Direction): void {
  document.documentElement.dir = direction;
  try {
    localStorage.setItem(NAME, direction);
  } catch {
    // the choice then holds for this page only
  }
}
