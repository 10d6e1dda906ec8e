"""Scores as JUnit XML, which build servers show as test results.

One test case for each sample and metric that gates and has a threshold, or failed to compute. A
missing, imputed or unsure score is skipped, because it decides nothing. The gates of a run are a
suite of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from assay.core import GateVerdict, Result, Sample, Scores, Summary
from assay.report.evidence_text import quoted
from assay.report.figures import count, limit, number, verdict
from assay.report.gate_lines import heading, reason
from assay.report.markup import Markup, element, join
from assay.report.output_files import OutputFile
from assay.report.safe_text import one_line

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SUITES = "<testsuites>\n"
_START = '<testsuite name="assay"'
_KINDS = ("tests", "failures", "errors", "skipped")
_START_SIZE = len(_DECLARATION + _SUITES + _START) + 120
"""Room for the counts, which stand first and are known last."""
_SPANS = 10
"""Pieces of evidence quoted for one failure."""


class JUnitWriter:
    """Writes the test cases as they come and the counts at the end."""

    def __init__(self, path: str) -> None:
        self._file = OutputFile(path)
        self._counts: Counter[str] = Counter()
        self._file.write(" " * _START_SIZE + "\n")

    def write(self, sample: Sample, scores: Scores) -> None:
        """Add the sample's test cases."""
        for metric, result in scores.results.items():
            has_verdict = result.threshold is not None or result.verdict is not None
            if result.gates and (has_verdict or result.state == "error"):
                self._write_case(scores.id, metric, *_outcome(sample, metric, result))

    def close(self, summary: Summary) -> None:
        """Add unread records as an error, write the counts and put the file in place."""
        if summary.unread:
            message = f"{count(summary.unread, 'record')} could not be used."
            self._write_case("assay", "unread records", "errors", element("error", message=message))
        counts = "".join(f' {kind}="{self._counts[kind]}"' for kind in _KINDS)
        self._file.write("</testsuite>\n")
        if summary.gates:
            self._file.write(f"{_gate_suite(summary.gates)}\n</testsuites>\n")
        start = _DECLARATION + (_SUITES if summary.gates else "") + _START + counts
        # Blanks inside a tag mean nothing, so the start can be padded to the room it was given.
        self._file.rewrite_start(start.ljust(_START_SIZE - 1) + ">")
        self._file.commit()

    def abort(self) -> None:
        """Throw the file away."""
        self._file.discard()

    def _write_case(self, sample: str, metric: str, kind: str, outcome: Markup) -> None:
        self._counts.update(("tests", kind) if kind else ("tests",))
        case = element("testcase", outcome, classname=sample, name=metric)
        self._file.write(f"{case}\n")


def _outcome(sample: Sample, metric: str, result: Result) -> tuple[str, Markup]:
    """Which count the result adds to, and the element inside its test case."""
    message = one_line(result.explanation, 500)
    match verdict(result):
        case "fail":
            return "failures", element("failure", _story(sample, metric, result), message=message)
        case "error":
            return "errors", element("error", message=message)
        case "N/A":
            return "skipped", element("skipped", message=message)
        case "unsure":
            return "skipped", element("skipped", message=f"Unsure: {message}")
        case "imputed":
            return "skipped", element("skipped", message=f"Imputed: {message}")
        case _:
            return "", Markup()


def _gate_suite(verdicts: Iterable[GateVerdict]) -> Markup:
    """A test case for each gate; one that is not sure but passes is skipped with its reason."""
    counts: Counter[str] = Counter()
    cases = []
    for gate in verdicts:
        kind, outcome = _gate_outcome(gate)
        counts.update(("tests", kind) if kind else ("tests",))
        cases.append(element("testcase", outcome, classname="gates", name=gate.gate))
    numbers = {kind: str(counts[kind]) for kind in _KINDS}
    return element("testsuite", join(cases, "\n"), name="assay gates", **numbers)


def _gate_outcome(gate: GateVerdict) -> tuple[str, Markup]:
    message = f"{heading(gate)}: {reason(gate)}"
    if not gate.passes:
        return "failures", element("failure", message=message)
    if gate.state != "holds":
        return "skipped", element("skipped", message=message)
    return "", Markup()


def _story(sample: Sample, metric: str, result: Result) -> str:
    """Value, threshold and the first pieces of evidence, one a line."""
    needs = f"; needs {limit(result.threshold, metric)}" if result.threshold is not None else ""
    lines = [f"value {number(result.value, metric)}{needs}", result.explanation]
    for span in result.evidence[:_SPANS]:
        place = f"{span.field}[{span.start}:{span.end}]"
        lines.append(f"{place} {span.label}: {quoted(sample, span)}")
    if len(result.evidence) > _SPANS:
        lines.append(f"and {len(result.evidence) - _SPANS} more")
    return "\n".join(lines)
