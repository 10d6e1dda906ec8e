import { useReport } from "../api/source";
import { t } from "../lib/messages";

/** Which samples a report holds, where it does not hold all; nothing where a server is asked. */
export function ReportNote() {
  const report = useReport();
  if (!report || report.shown >= report.tests) return null;
  return (
    <p className="muted small report-note">
      {t("shared.thisReportContainsTheSamplesWithThe", { shown: report.shown, tests: report.tests })}
    </p>
  );
}

/** Says so where a sample is too long for a report and stands there in part. */
export function CutNote({ test }: { test: string }) {
  const report = useReport();
  if (!report?.cut.has(test)) return null;
  return <p className="muted small report-note">{t("shared.partsOfThisSampleAreToo")}</p>;
}
