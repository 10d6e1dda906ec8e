/** The pages of a report: those of the dashboard that make sense without a server. */
import { Failures } from "../pages/Failures/Failures";
import { Metric } from "../pages/Metrics/Metric";
import { Metrics } from "../pages/Metrics/Metrics";
import { Sample } from "../pages/Sample/Sample";
import type { Route } from "../routes";
import { ReportRun } from "./ReportRun";

export const ROUTES: readonly Route[] = [
  { path: "/", title: "Report", page: ReportRun, nav: { group: "Results", icon: "runs" }, covers: ["/runs", "/tests"] },
  { path: "/runs/:run", title: "Report", page: ReportRun },
  { path: "/tests/:id", title: "Sample", page: Sample },
  { path: "/failures", title: "Failures", page: Failures, nav: { group: "Results", icon: "failures" }, hasScope: true },
  { path: "/metrics", title: "Metrics", page: Metrics, nav: { group: "Reference", icon: "metrics" } },
  { path: "/metrics/:id", title: "Metric", page: Metric },
];
