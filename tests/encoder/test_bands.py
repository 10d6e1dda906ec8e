"""Where verdicts of rules and encoder are left open, on made-up verdicts and on real cases."""

import json
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from benchmarks.exam import all_cases
from training.bands import CaseVerdict, chosen, cost, held_out, shares
from training.fit import FOLDER

from assay.evidence.folds import fold_of
from training import bands


def verdicts(*, is_open=True):
    """Sixty verdicts: those between 0.4 and 0.6 are wrong every other time, the others right."""
    values = [0.05 + 0.9 * number / 59 for number in range(60)]
    return [
        CaseVerdict(f"group {number}", value, not 0.4 < value < 0.6 or number % 2 == 0, is_open)
        for number, value in enumerate(values)
    ]


def test_verdicts_that_are_no_better_than_a_coin_are_left_open():
    low, high = chosen(verdicts(), 0.5)
    own = shares([(one, (low, high)) for one in verdicts()])
    assert (low, high) == (0.4, 0.6)
    assert own.wrong == 0.0
    assert own.unsure == pytest.approx(sum(0.4 < one.value < 0.6 for one in verdicts()) / 60)
    assert cost(own) < cost(shares([(one, None) for one in verdicts()]))


def test_where_verdicts_are_right_nothing_is_left_open():
    right = [one._replace(is_right=True) for one in verdicts()]
    assert chosen(right, 0.5) is None


def test_what_the_rules_decide_stays_decided():
    assert chosen(verdicts(is_open=False), 0.5) is None
    assert shares([(one, (0.1, 0.9)) for one in verdicts(is_open=False)]).unsure == 0.0


def test_a_band_never_comes_from_the_cases_that_it_is_measured_on():
    own = verdicts()
    for one, band in held_out(own, 0.5):
        part = fold_of(one.group, bands.FOLDS)
        others = [two for two in own if fold_of(two.group, bands.FOLDS) != part]
        assert band == chosen(others, 0.5)


def test_cases_are_read_with_and_without_a_band(monkeypatch):
    cases = [c for c in all_cases() if c["job"] == "correctness" and c["language"] == "en"][:6]
    monkeypatch.setattr(bands, "all_cases", lambda: cases[:3])
    monkeypatch.setattr(bands, "read_cases", lambda _: cases[3:])
    table = json.loads((FOLDER / "combined.json").read_text("utf-8"))
    entry = table["combiners"]["correctness"]["en"]
    folder = Path(pytest.importorskip("assay_models").__file__).parent
    read = bands.read("correctness", entry, folder)
    assert [one.group for one in read] == [case["group"] for case in cases]
    assert sum(one.is_right for one in read) >= 4
    assert not all(one.is_open for one in read)  # figures are decided by the rules
