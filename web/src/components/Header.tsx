import type { Route } from "../routes";
import { Scope } from "./Scope";

/** The page's name, and what all figures on it are about. */
export function Header({ route }: { route: Route | undefined }) {
  if (!route?.hasScope) return null;
  return (
    <header className="header">
      <h1>{route.title}</h1>
      <Scope />
    </header>
  );
}
