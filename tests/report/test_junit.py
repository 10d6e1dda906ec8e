from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from assay.core import Result, Sample, Span
from assay.report.junit import _story
from assay.report.safe_text import visible

TAGS = {"testsuite", "testcase", "failure", "error", "skipped"}


def _cases(run: Any, folder: Path) -> tuple[ElementTree.Element, dict[tuple[str, str], Any]]:
    suite = ElementTree.fromstring(run.write(folder / "out.xml"))  # noqa: S314 -- our own file
    return suite, {(c.attrib["classname"], c.attrib["name"]): c for c in suite}


def test_cases_and_counts(run: Any, tmp_path: Path) -> None:
    suite, cases = _cases(run, tmp_path)
    assert suite.attrib == {
        "name": "assay",
        "tests": "10",
        "failures": "1",
        "errors": "2",
        "skipped": "4",
    }
    low = run.scored[0][1].id
    kinds = {key: [child.tag for child in case] for key, case in cases.items()}
    assert kinds[low, "text.safety"] == ["failure"]
    assert kinds[low, "text.coherence"] == []
    assert kinds[low, "text.relevance"] == ["skipped"]
    assert kinds[low, "text.factuality"] == ["skipped"]
    assert kinds[low, "custom.charm"] == ["error"]
    assert kinds["assay", "unread records"] == ["error"]
    assert ("fine", "custom.charm") not in kinds, "neither a threshold nor an error"


def test_a_failure_tells_value_threshold_and_evidence(run: Any, tmp_path: Path) -> None:
    _, cases = _cases(run, tmp_path)
    failure = cases[run.scored[0][1].id, "text.safety"][0]
    assert failure.attrib["message"] == "The answer is 42, or so I hope."
    assert "value 0.250; needs ≥\u00a00.9" in failure.text
    assert "response[0:5]" in failure.text


def test_much_evidence_is_counted_not_listed() -> None:
    spans = [Span("response", place, place + 1) for place in range(25)]
    story = _story(Sample(response="x" * 25), "a.b", Result(0.0, "Why.", spans))
    assert story.splitlines()[-1] == "and 15 more"


def test_hostile_text_stays_text(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    suite, _ = _cases(make_run(hostile), tmp_path)
    assert {node.tag for node in suite.iter()} <= TAGS
    first = suite[0]
    assert set(first.attrib) == {"classname", "name"}
    # A parser of XML reads tabs and breaks in attributes as blanks.
    blanked = visible(hostile).translate(str.maketrans("\n\t", "  "))
    assert first.attrib["classname"] == blanked
