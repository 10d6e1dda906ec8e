"""What GitHub reads: annotations that no text can break out of, and a step's summary."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from assay.core import GateVerdict
from assay.report.github import MOST, annotation, build_notes, step_summary
from assay.report.safe_text import one_line

COMMAND = re.compile(r"::(error|warning) (?:file=([^:,]*),)?title=([^:,]*)::(.*)")
texts = st.text(max_size=300)


def verdicts(count: int, state: Any = "fails", passes: bool = False) -> list[GateVerdict]:
    return [GateVerdict(f"a.b>={n}", state, passes, f"it is {n}") for n in range(count)]


@given(st.sampled_from(["error", "warning"]), texts, texts, texts)
def test_any_text_stays_inside_its_annotation(
    level: str, title: str, message: str, file: str
) -> None:
    line = annotation(level, f"T {title}", message, file)
    assert len(line.splitlines()) == 1
    found = COMMAND.fullmatch(line)
    assert found
    assert found[1] == level
    # What the runner decodes is the text as any report shows it: nothing lost, nothing added.
    shown = lambda text: one_line(text, 1000)  # noqa: E731
    decoded = [unquote(part or "", errors="strict") for part in found.groups()[1:]]
    assert decoded == [shown(file), shown(f"T {title}"), shown(message)]


def test_commands_in_data_stay_text() -> None:
    hostile = "x\n::set-output name=a::b\r\n::error::c %0A::warning::d"
    line = annotation("error", hostile, hostile, hostile)
    assert line.count("::error") == 1
    assert "\n" not in line
    assert "%250A" in line


def test_gates_come_first_and_the_rest_is_counted(run: Any) -> None:
    gates = [*verdicts(15), *verdicts(9, "flaky", passes=True), *verdicts(3, "holds", passes=True)]
    lines = list(build_notes(replace(run.summary, gates=gates), "a.jsonl"))
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == MOST
    assert errors[0] == "::error file=a.jsonl,title=Gate failed%3A a.b>=0::it is 0"
    assert errors[-1].endswith("::6 more gates are not shown here")
    warnings = [line for line in lines if line.startswith("::warning")]
    assert len(warnings) <= MOST
    assert lines == [*errors, *warnings]
    assert "title=Sample" in lines[-1]


def test_a_good_run_has_no_annotation(run: Any) -> None:
    good = replace(run.summary, gates=verdicts(2, "holds", passes=True), worst=(), passed=2, failed=0)
    assert list(build_notes(good)) == []


def test_hostile_samples_stay_in_their_line(hostile: str, make_run: Callable[..., Any]) -> None:
    gates = [GateVerdict(hostile, "fails", False, hostile)]
    for line in build_notes(replace(make_run(hostile).summary, gates=gates), hostile):
        assert COMMAND.fullmatch(line)


def test_the_step_summary_names_gates_and_fits(run: Any) -> None:
    page = step_summary(replace(run.summary, gates=verdicts(2)))
    assert "**0 gates hold, 2 failed.**" in page
    assert "| failed | a.b&#62;=1 | it is 1 |" in page
    huge = step_summary(replace(run.summary, gates=verdicts(40_000)))
    assert len(huge.encode()) < 1024 * 1024
    assert "too long to be shown" in huge
