/** The map of the pages. A new page is one entry here and one folder in pages/. */

import { type ComponentType, lazy } from "react";
import type { IconName } from "./components/ui/Icon";
import { t } from "./lib/messages";
import { Overview } from "./pages/Overview/Overview";

export interface PageProps {
  params: Readonly<Record<string, string>>;
}

export interface Route {
  path: string;
  title: string;
  page: ComponentType<PageProps>;
  /** Its place in the navigation; pages of one thing (a run, a sample) have none. */
  nav?: { group: "Results" | "Reference" | "Work"; icon: IconName };
  /** Paths of pages without a place of their own that belong here. */
  covers?: readonly string[];
  /** Whether it follows the time range and run of the header. */
  hasScope?: boolean;
}

/** A page that is loaded when it is first opened. */
function page<Name extends string>(load: () => Promise<{ [key in Name]: ComponentType<PageProps> }>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}

export const ROUTES: readonly Route[] = [
  { path: "/", title: t("page.overview"), page: Overview, nav: { group: "Results", icon: "overview" } },
  {
    path: "/runs",
    title: t("page.runs"),
    page: page(() => import("./pages/Runs/Runs"), "Runs"),
    nav: { group: "Results", icon: "runs" },
    covers: ["/tests"],
  },
  { path: "/runs/:run", title: t("page.run"), page: page(() => import("./pages/Run/Run"), "Run") },
  { path: "/tests/:id", title: t("page.sample"), page: page(() => import("./pages/Sample/Sample"), "Sample") },
  {
    path: "/compare",
    title: t("page.compare"),
    page: page(() => import("./pages/Compare/Compare"), "Compare"),
    nav: { group: "Results", icon: "compare" },
  },
  {
    path: "/matrix",
    title: t("page.matrix"),
    page: page(() => import("./pages/Matrix/Matrix"), "Matrix"),
    nav: { group: "Results", icon: "matrix" },
  },
  {
    path: "/failures",
    title: t("page.failures"),
    page: page(() => import("./pages/Failures/Failures"), "Failures"),
    nav: { group: "Results", icon: "failures" },
    hasScope: true,
  },
  {
    path: "/targets",
    title: t("page.targets"),
    page: page(() => import("./pages/Targets/Targets"), "Targets"),
    nav: { group: "Results", icon: "targets" },
    hasScope: true,
  },
  {
    path: "/families",
    title: t("page.families"),
    page: page(() => import("./pages/Families/Families"), "Families"),
    nav: { group: "Results", icon: "families" },
    hasScope: true,
  },
  {
    path: "/labels",
    title: t("page.labels"),
    page: page(() => import("./pages/Labels/Labels"), "Labels"),
    nav: { group: "Work", icon: "labels" },
  },
  {
    path: "/metrics",
    title: t("page.metrics"),
    page: page(() => import("./pages/Metrics/Metrics"), "Metrics"),
    nav: { group: "Reference", icon: "metrics" },
  },
  { path: "/metrics/:id", title: t("page.metric"), page: page(() => import("./pages/Metrics/Metric"), "Metric") },
  {
    path: "/json",
    title: t("page.json"),
    page: page(() => import("./pages/Json/Json"), "Json"),
    nav: { group: "Work", icon: "json" },
  },
  {
    path: "/try",
    title: t("page.tryIt"),
    page: page(() => import("./pages/TryIt/TryIt"), "TryIt"),
    nav: { group: "Work", icon: "try" },
  },
  {
    path: "/governance",
    title: t("page.governance"),
    page: page(() => import("./pages/Governance/Governance"), "Governance"),
    nav: { group: "Work", icon: "governance" },
  },
  {
    path: "/governance/:session",
    title: t("page.scorecard"),
    page: page(() => import("./pages/Governance/Session"), "Session"),
  },
  {
    path: "/configuration",
    title: t("page.configuration"),
    page: page(() => import("./pages/Configuration/Configuration"), "Configuration"),
    nav: { group: "Work", icon: "settings" },
  },
];
