import { useReport } from "../api/source";
import type { Route } from "../routes";
import { Scope } from "./Scope";

/** The page's name, and what all figures on it are about. */
export function Header({ route }: { route: Route | undefined }) {
  const report = useReport();
  if (!route?.hasScope) return null;
  return (
    <header className="header">
      <h1>{route.title}</h1>
      {!report && <Scope />}
    </header>
  );
}
