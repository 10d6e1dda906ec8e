import { Component, type ReactNode } from "react";
import { EmptyState } from "./ui/EmptyState";

/** Keeps the navigation alive when a page fails. */
export class PageBoundary extends Component<{ children: ReactNode }, { problem: string }> {
  override state = { problem: "" };

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    if (!this.state.problem) return this.props.children;
    return <EmptyState title="This page failed">{this.state.problem}. Reload the page to try again.</EmptyState>;
  }
}
