import { Component, type ReactNode } from "react";
import { ask } from "../api/client";
import { t } from "../lib/messages";
import { Button } from "./ui/Button";
import { EmptyState } from "./ui/EmptyState";

/** How browsers say that a part of the page could not be fetched. */
const UNFETCHED = /dynamically imported module|importing a module script|module script failed|preload CSS/i;

interface PageBoundaryProps {
  children: ReactNode;
}

/** Load everything anew once the server answers; until then the page stays as it is. */
async function retry(): Promise<void> {
  try {
    await ask("get_me", {});
  } catch {
    return;
  }
  window.location.reload();
}

/** Keeps the navigation alive when a page fails, or when the server is gone before it was loaded. */
export class PageBoundary extends Component<PageBoundaryProps, { problem: string }> {
  override state = { problem: "" };

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { problem } = this.state;
    if (!problem) return this.props.children;
    if (!UNFETCHED.test(problem))
      return (
        <EmptyState title={t("shared.thisPageFailed")}>{t("shared.reloadThePageToTryAgain", { problem })}</EmptyState>
      );
    return (
      <div className="empty" role="alert">
        <h2>{t("shared.theServerCannotBeReached")}</h2>
        <p>{t("shared.thisPageCouldNotBeLoaded")}</p>
        <pre className="command">
          <code>assay serve</code>
        </pre>
        <Button onClick={() => void retry()}>{t("shared.tryAgain")}</Button>
      </div>
    );
  }
}
