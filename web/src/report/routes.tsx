/** The pages of a report: those of the dashboard that make sense without a server. */
import { t } from "../lib/messages";
import { Failures } from "../pages/Failures/Failures";
import { Metric } from "../pages/Metrics/Metric";
import { Metrics } from "../pages/Metrics/Metrics";
import { Sample } from "../pages/Sample/Sample";
import type { Route } from "../routes";
import { ReportRun } from "./ReportRun";

export const ROUTES: readonly Route[] = [
  {
    path: "/",
    title: t("page.report"),
    page: ReportRun,
    nav: { group: "Results", icon: "runs" },
    covers: ["/runs", "/tests"],
  },
  { path: "/runs/:run", title: t("page.report"), page: ReportRun },
  { path: "/tests/:id", title: t("page.sample"), page: Sample },
  {
    path: "/failures",
    title: t("page.failures"),
    page: Failures,
    nav: { group: "Results", icon: "failures" },
    hasScope: true,
  },
  { path: "/metrics", title: t("page.metrics"), page: Metrics, nav: { group: "Reference", icon: "metrics" } },
  { path: "/metrics/:id", title: t("page.metric"), page: Metric },
];
