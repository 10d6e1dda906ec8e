import { useEffect, useState } from "react";
import type { Me } from "../api/generated/schema";
import { useReport } from "../api/source";
import { t, word } from "../lib/messages";
import { href, parseHash } from "../lib/url";
import type { Route } from "../routes";
import { LanguageSwitch } from "./LanguageSwitch";
import { ProjectSwitch } from "./ProjectSwitch";
import { ThemeSwitch } from "./ThemeSwitch";
import { Icon } from "./ui/Icon";

const GROUPS = ["Results", "Work", "Reference"] as const;

/** The pages; on a phone behind a button. */
export function Navigation({ routes: all, path, me }: { routes: readonly Route[]; path: string; me: Me | undefined }) {
  const report = useReport();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <nav
      className="side"
      data-open={isOpen || undefined}
      aria-label={report ? t("shared.pagesOfTheReport") : t("shared.pagesOfTheDashboard")}
    >
      <div className="brand">
        <a href={href("/")} className="brand-name" aria-label={t("shared.assayFirstPage")}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 2L3 17h3l1.400-3.200h5.200L14 17h3zM8.600 11L10 7.600 11.400 11z" />
          </svg>
          Assay
        </a>
        <button
          type="button"
          className="button quiet menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? "close" : "menu"} />
          <span>{t("shared.menu")}</span>
        </button>
      </div>
      <div id="navigation">
        {GROUPS.map((group) => {
          const routes = all.filter((route) => route.nav?.group === group);
          if (routes.length === 0) return null;
          return (
            <section key={group}>
              <h2 className="nav-group">{t(`nav.${group}`)}</h2>
              <ul>
                {routes.map((route) => (
                  <li key={route.path}>
                    <a href={target(route)} aria-current={isHere(route, path) ? "page" : undefined}>
                      <Icon name={route.nav!.icon} />
                      {route.title}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
        <div className="side-foot">
          <div className="switches">
            <ThemeSwitch />
            <LanguageSwitch />
          </div>
          {report && (
            <p className="tiny muted">{t("shared.madeByAssayThisPageAsksNothing", { version: report.version })}</p>
          )}
          {me && <ProjectSwitch me={me} />}
          {me && (
            <p className="tiny muted">
              <span dir="auto">{me.name}</span> · {word(me.role)}
            </p>
          )}
        </div>
      </div>
    </nav>
  );
}

/** Pages with the same scope keep it. */
function target(route: Route): string {
  const { query } = parseHash(window.location.hash);
  return route.hasScope ? href(route.path, { hours: query.hours, run: query.run }) : href(route.path);
}

function isHere(route: Route, path: string): boolean {
  const isBelow = (begun: string) => path === begun || (begun !== "/" && path.startsWith(`${begun}/`));
  return [route.path, ...(route.covers ?? [])].some(isBelow);
}
