import { useReport } from "../api/source";
import { formatCount } from "../lib/format";

/** Which samples a report holds, where it does not hold all; nothing where a server is asked. */
export function ReportNote() {
  const report = useReport();
  if (!report || report.shown >= report.tests) return null;
  return (
    <p className="muted small report-note">
      This report contains the {formatCount(report.shown)} samples with the lowest scores, of{" "}
      {formatCount(report.tests)}. All figures are about the whole run.
    </p>
  );
}

/** Says so where a sample is too long for a report and stands there in part. */
export function CutNote({ test }: { test: string }) {
  const report = useReport();
  if (!report?.cut.has(test)) return null;
  return <p className="muted small report-note">Parts of this sample are too long for a report and are truncated.</p>;
}
