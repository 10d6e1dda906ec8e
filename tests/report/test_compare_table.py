from io import StringIO

import pytest
from rich.console import Console

from assay.core import Interval
from assay.core.run_comparison import MetricChange, RunComparison, SampleChange, ScoreChange
from assay.report.compare_table import print_comparison, remarks

HOSTILE = "\x1b[31m[red]gone[/red]\u202e"


def change(metric="text.safety", verdict="worse", **fields):
    given = {
        "pairs": 120, "changed": 30, "mean_a": 0.98, "mean_b": 0.94, "difference": -0.04,
        "interval": Interval(-0.06, -0.02), "test": "sign-flip", "p": 0.0004, "adjusted_p": 0.0004,
        "effect": -0.34, "detectable": 0.033, "tolerance": 0.02, "pairs_needed": 330, "lost": 4,
        "gained": 1, "polarity": "higher",
    }  # fmt: skip
    return MetricChange(metric=metric, verdict=verdict, **{**given, **fields})


def comparison(*changes, **fields):
    given = {
        "a": "main", "b": "branch", "paired_by": "id", "pairs": 120, "only_a": 0, "only_b": 0,
        "repeated": 0, "unread": 0, "correction": "holm", "seed": 0, "refused": {},
        "metrics_only_a": (), "metrics_only_b": (), "thresholds": {}, "samples": (), "notes": (),
    }  # fmt: skip
    return RunComparison(metrics=changes, **{**given, **fields})


def printed(found, width=130):
    console = Console(file=StringIO(), width=width)
    print_comparison(found, console)
    return console.file.getvalue()


def test_the_table_shows_the_worst_verdict_first():
    rows = (change("a.same", "no real change"), change("b.up", "better"), change("c.down", "worse"))
    text = printed(comparison(*rows))
    assert text.index("c.down") < text.index("b.up") < text.index("a.same")
    assert "-0.04 [-0.060, -0.020]" in text
    assert "<0.001" in text
    assert "d -0.34" in text
    assert "0.033" in text


def test_a_narrow_terminal_has_no_room_for_effect_sizes():
    rows = change(), change("chat.response_quality", "too few samples")
    text = printed(comparison(*rows), width=80)
    assert "detectable" not in text
    assert "worse" in text
    assert "too few" in text
    assert "samples" in text.split("too few")[1].split("paired")[0]
    assert max(map(len, text.splitlines())) <= 80


def test_a_metric_without_pairs_has_no_figures():
    empty = change(
        "m.none", "too few samples", pairs=0, changed=0, mean_a=None, mean_b=None, difference=None,
        interval=None, p=None, adjusted_p=None, effect=None, detectable=None, pairs_needed=None,
    )  # fmt: skip
    found = comparison(empty)
    assert "– –" in printed(found)
    assert "No scores in both runs: m.none." in remarks(found)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"only_a": 3, "only_b": 1}, "120\u00a0samples paired by id; 3 only in A, 1 only in B."),
        ({"repeated": 2}, "120\u00a0samples paired by id; 2 repeat an earlier id of their run."),
        ({"unread": 1}, "1\u00a0record could not be read."),
        ({"metrics_only_b": ("m.new",)}, "Only in B: m.new."),
        ({"thresholds": {"m.x": (0.5, None)}}, "The threshold of m.x is 0.5 in A and None in B."),
        (
            {"refused": {"m.x": ("v: 1 → 2",)}},
            "Not compared: m.x was made by different rules (v: 1 → 2); --allow-different compares "
            "it all the same.",
        ),
        ({"notes": ("Run 'a' is not finished.",)}, "Run 'a' is not finished."),
        (
            {"correction": "none"},
            "Differences are B − A with 95 % intervals; p is not corrected.",
        ),
        (
            {"correction": "bh"},
            "Differences are B − A with 95 % intervals; p is corrected over 1\u00a0changed metric "
            "(Benjamini–Hochberg).",
        ),
    ],
)
def test_what_a_reader_should_know_is_said(fields, line):
    assert line in remarks(comparison(change(), **fields))


def test_too_few_samples_are_said_plainly():
    found = remarks(comparison(change("m.x", "too few samples", pairs_needed=1330)))
    assert found[-1] == (
        "Too few samples to tell for m.x; a change of 0.02 in m.x would show in about 1,330 pairs."
    )


def test_other_rules_of_compared_metrics_are_said():
    found = remarks(comparison(change("m.x", rule_changes=("assay: 1 → 2",))))
    assert "m.x was made by different rules (assay: 1 → 2)." in found


def test_changed_samples_stand_side_by_side_and_cannot_act_on_the_terminal():
    score = ScoreChange("text.safety", 1.0, 0.7, "Nothing found.", f"An email {HOSTILE}.")
    sample = SampleChange(HOSTILE, "s2", 0.3, HOSTILE * 50, "Hello.", HOSTILE, (score,))
    text = printed(comparison(change(), samples=(sample,)))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]gone[/red]" in text
    assert "Nothing found." in text
    assert "/ s2" in text


def test_a_sample_of_a_result_file_has_scores_alone():
    score = ScoreChange("text.safety", 1.0, 0.7, "Nothing found.", "An email.")
    text = printed(
        comparison(change(), samples=(SampleChange("s", "s", 0.3, None, None, None, (score,)),))
    )
    assert "response" not in text
    assert "1.000 Nothing found." in text


@pytest.mark.parametrize("width", [50, 60, 72, 80, 90, 110, 130])
def test_verdicts_are_whole_in_any_width(width):
    tiny = Interval(-1.2e-04, 2.72e-04)
    rows = (change("answer.relevance", "too few samples", difference=7.6e-05, interval=tiny),)
    lines = printed(comparison(*rows), width).splitlines()
    shown = "".join(lines[1:7])
    assert max(map(len, lines)) <= width
    assert all(word in shown for word in ("too", "few", "samples", "0.980", "0.940", "<0.001"))
    assert ("2.72e-04" in shown) is (width >= 90)
