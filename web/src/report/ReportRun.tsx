import { useEffect, useState } from "react";
import { t } from "../lib/messages";
import { useQuery } from "../lib/url";
import { FlakyQuestions } from "../pages/Run/FlakyQuestions";
import { Run } from "../pages/Run/Run";
import { hasAbout, RunAbout } from "../pages/Run/RunAbout";
import { RunGroups } from "../pages/Run/RunGroups";
import { RunMetrics } from "../pages/Run/RunMetrics";
import { RunSamples } from "../pages/Run/RunSamples";
import type { PageProps } from "../routes";
import { otherSections, useFirstScreen } from "./first";
import { ReportHead } from "./ReportHead";
import "./report.css";

const SECTIONS = {
  metrics: { title: t("common.metrics"), View: RunMetrics },
  samples: { title: t("common.samples"), View: RunSamples },
  flaky: { title: t("run.flakyQuestions"), View: FlakyQuestions },
  groups: { title: t("common.groups"), View: RunGroups },
  about: { title: t("common.about"), View: RunAbout },
};

/** The run of a report: its first screen, then the run; on paper all its sections. */
export function ReportRun(props: PageProps) {
  const [{ tab = "metrics" }] = useQuery();
  return (
    <>
      <Run {...props} head={<ReportHead isShort={tab !== "metrics"} />} />
      <Printed shown={tab} />
    </>
  );
}

/** The sections that the screen does not show, for the printer alone; made when the page has been drawn. */
function Printed({ shown }: { shown: string }) {
  const { run } = useFirstScreen();
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true));
    return () => clearTimeout(timer);
  }, []);
  if (!isReady) return null;
  return otherSections(shown, run, hasAbout(run)).map((name) => {
    const { title, View } = SECTIONS[name as keyof typeof SECTIONS];
    return (
      <section key={name} className="printed">
        <h2>{title}</h2>
        <View run={run} />
      </section>
    );
  });
}
