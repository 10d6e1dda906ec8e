import { Suspense, useEffect } from "react";
import { useAnswer } from "../api/use-answer";
import { t } from "../lib/messages";
import { matchPath, useAddress } from "../lib/url";
import type { Route } from "../routes";
import { Header } from "./Header";
import { LoginForm } from "./LoginForm";
import { LoginProblem } from "./LoginProblem";
import { Navigation } from "./Navigation";
import { PageBoundary } from "./PageBoundary";
import { PageHead } from "./PageHead";
import { EmptyState } from "./ui/EmptyState";
import { Loading } from "./ui/Loading";

export function App({ routes }: { routes: readonly Route[] }) {
  const { path } = useAddress();
  const me = useAnswer("get_me", {}, { isFixed: true });
  const found = routes
    .map((route) => ({ route, params: matchPath(route.path, path) }))
    .find((entry) => entry.params !== null);
  const name = found && Object.values(found.params!)[0];
  const title = [name, found?.route.title ?? t("shared.notFound")].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = `${title} · Assay`;
    document.getElementById("page")?.scrollTo(0, 0);
  }, [title, path]);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page, as a link does */}
      <a className="skip" href="#page" onClick={skip}>
        {t("shared.skipToContent")}
      </a>
      <div className="frame">
        <Navigation routes={routes} path={path} me={me.data} />
        <div className="stage">
          <Header route={found?.route} />
          <main id="page" tabIndex={-1}>
            <LoginProblem />
            <PageBoundary key={path}>
              <Suspense fallback={<Loading />}>
                {me.error?.needsKey ? (
                  <LoginForm onDone={() => window.location.reload()} />
                ) : found ? (
                  <found.route.page params={found.params!} />
                ) : (
                  <>
                    <PageHead title={t("shared.notFound")} />
                    <EmptyState title={t("shared.pageNotFound")}>{t("shared.chooseOneFromTheNavigation")}</EmptyState>
                  </>
                )}
              </Suspense>
            </PageBoundary>
          </main>
        </div>
      </div>
    </>
  );
}

/** The address behind the `#` is the page's own, so the focus is moved by hand. */
function skip(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById("page")?.focus();
}
