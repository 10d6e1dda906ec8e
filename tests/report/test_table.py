from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

import assay
from assay.report import print_summary

STYLES = re.compile(r"\x1b\[[\d;]*m")
"""The only escapes that we print ourselves: colours."""


def _printed(run: Any, width: int = 120, color: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, force_terminal=color, color_system="standard" if color else None
    )
    print_summary(run.summary, console)
    return stream.getvalue()


def test_the_table_and_the_worst_samples(run: Any) -> None:
    text = _printed(run, width=160).replace("\u00a0", " ")
    assert re.search(r"text\.safety +0\.625 +\[0\.575, 0\.675\] +1/2 +≥ 0\.9", text)
    assert text.startswith(
        "1 of 2 good; 1 to look at.\nPass rate 50.0 % [9.4 %, 90.5 %]; mean quality"
    )
    assert "1 record could not be used; 1 score failed." in text
    assert "text.safety 0.250, needs ≥ 0.9  The answer is 42, or so I hope. “The a”" in text


@pytest.mark.parametrize("color", [False, True])
def test_nothing_from_data_acts_on_the_terminal(
    hostile: str, color: bool, make_run: Callable[..., Any]
) -> None:
    text = STYLES.sub("", _printed(make_run(hostile), color=color))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    text.encode()


def test_markup_in_data_is_shown_as_it_is(make_run: Callable[..., Any]) -> None:
    text = _printed(make_run("[bold]x[/bold] [/]"))
    assert "[bold]x[/bold] [/]" in text


def test_metrics_without_a_score_say_why() -> None:
    metrics = ["chat.bleu", "chat.rouge", "chat.bleu_fallback", "chat.rouge_unicode", "judge.tone"]
    text = _printed(assay.evaluate([{"query": "x", "response": "x"}], metrics), width=200)
    assert (
        "Not scored: chat.bleu, chat.bleu_fallback, chat.rouge and 1 more "
        "(The sample has no 'expected'); judge.tone (No judge is configured" in text
    )
    assert "95 % interval" not in text  # there is no row to head


def test_a_metric_without_a_score_names_all_kinds_of_samples() -> None:
    samples = [{"response": "No."}, {"response": "Yes.", "contexts": ["Yes."]}]
    text = _printed(assay.evaluate(samples, "rag.citation_support", settings=None), width=200)
    assert "(The response cites nothing: 1; The sample has no 'contexts': 1)" in text


def test_samples_that_are_not_shown_are_counted() -> None:
    samples = [{"query": "Capital of Spain?", "response": "Lisbon.", "expected": "Madrid"}] * 7
    text = _printed(assay.evaluate(samples, "answer.correctness", settings=None))
    assert "… and 2 more; --out report.html shows them." in text
    assert "more;" not in _printed(assay.evaluate(samples[:5], "answer.correctness", settings=None))


def test_metrics_that_decide_stand_in_the_table_and_the_others_in_one_line() -> None:
    samples = [{"query": "Where?", "response": "The store is in town."}]
    text = _printed(assay.evaluate(samples, settings=None), width=120)
    rows = re.findall(r"^ ([a-z]+\.[a-z_]+) .*", text, re.MULTILINE)
    assert "safety.toxicity" in rows
    assert "safety.secrets" not in rows
    assert re.search(r"^For information: .*safety\.secrets 0\.000", text, re.MULTILINE)
    assert "answer.correctness" not in text


def test_the_overall_figure_of_a_few_of_the_metrics_is_not_shown() -> None:
    """The one metric of six that scored must not read as a perfect run."""
    samples = [{"response": '{"a": 1}'}] * 3
    text = _printed(assay.evaluate(samples, "json", settings=None))
    assert text.startswith("No verdict on 3\u00a0samples.\nMean quality – over 3\u00a0samples")


def test_samples_that_pass_are_not_shown_as_bad(run: Any) -> None:
    text = _printed(run)
    assert "To look at" in text
    assert "\nfine" not in text


def test_what_was_asked_and_answered_is_shown() -> None:
    samples = [{"query": "Capital of Spain?", "response": "Lisbon.", "expected": "Madrid"}]
    text = _printed(assay.evaluate(samples, "answer.correctness", settings=None))
    assert "“Capital of Spain?” → “Lisbon.”" in text


def test_colours_tell_pass_from_fail(run: Any) -> None:
    text = _printed(run, color=True)
    assert re.search(r"\x1b\[31m *1/2", text)
    assert re.search(r"\x1b\[32m *2/2", text)


def test_a_run_without_samples_is_printed(make_run: Callable[..., Any]) -> None:
    empty = make_run("x", overall=None, overall_interval=None, judged=0, metrics={}, worst=[])
    assert _printed(empty).startswith("No verdict on 2\u00a0samples.\nMean quality – over")


@pytest.mark.parametrize("width", [20, 40, 120])
def test_nothing_from_data_is_a_command_of_a_build(
    width: int, make_run: Callable[..., Any]
) -> None:
    text = _printed(make_run("::error title=x::no " * 9 + "##[add-mask]x"), width=width)
    assert not re.search(r"^\s*::error", text, re.MULTILINE)
    assert "##[" not in text


@pytest.mark.parametrize("width", [50, 60, 72, 79, 80, 83, 97, 120])
def test_no_character_of_a_reason_is_lost_in_any_width(
    width: int, make_run: Callable[..., Any]
) -> None:
    reason = "It says 12,345.60 euros where 30 days are expected; it lacks 'orders', 'within 30'."
    run = make_run(reason)
    wide, shown = (
        Counter(filter(str.isalnum, _printed(run, width=own).partition("To look at")[2]))
        for own in (300, width)
    )
    assert wide == shown


def test_a_narrow_table_keeps_all_but_the_intervals(run: Any) -> None:
    (line,) = re.findall(r"(?m)^ text\.safety .*", _printed(run, width=70))
    assert line.split() == ["text.safety", "0.625", "1/2", "≥", "0.9"]
