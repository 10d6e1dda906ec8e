"""Judges with a planted bias are found out, over the wire; one without is cleared."""

import hashlib
import json
import re

import pytest
from benchmarks.judge_biases import biases, found
from click.testing import CliRunner
from tests.judge.chat import Chat, graded

from assay.cli import app
from assay.core import UsageError
from assay.data.judge_biases import bias_probes, plain_answers, reworded_answers
from assay.runner.judge_biases import bias_rows, measure_biases
from assay.settings import Settings

ANSWERS = plain_answers()
GOOD = {text for one in ANSWERS[::2] for text in (one.response, one.translated)}


def has_good(text):
    return any(good in text for good in GOOD)


def unsteadiness(text):
    """−1, 0 or 1, by the text alone: a judge's own chance."""
    return hashlib.sha256(text.encode()).digest()[0] % 3 - 1


CUES = {
    "verbosity": lambda query, text: len(text.split()) > 30,
    "authority": lambda query, text: re.search("professor|Nobel|official handbook", text),
    "formatting": lambda query, text: re.search(r"[*#>]", text),
    "injected verdict": lambda query, text: re.search("highest score|maximum|perfect", text),
    "sycophancy": lambda query, text: re.search("quite sure|own view|agrees with me", query),
    "language": lambda query, text: any(text == one.translated for one in ANSWERS),
}


def judge(bias="", push=2):
    """A judge that knows good from poor, is a little unsteady, and has one bias."""

    def answer(asked):
        query, first = asked.plain(0), asked.plain(1)
        if '"tie"' in asked.system:
            second = asked.plain(2)
            likes = unsteadiness("".join(sorted((first, second))))
            winner = min(first, second) if likes > 0 else max(first, second)
            label = "tie" if likes == 0 else "first" if winner == first else "second"
            return graded("first" if bias == "position" else label)(asked)
        grade = (3 if has_good(first) else 2) + (unsteadiness(query + first) > 0)
        is_cued = bias in CUES and CUES[bias](query, first)
        sign = -1 if bias == "language" else 1
        return graded(max(1, min(5, grade + sign * push * bool(is_cued))))(asked)

    return answer


@pytest.fixture
def measured(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    servers = []

    def measure(answer):
        servers.append(Chat(answer))
        settings = Settings.load(environ={}, overrides={"judge": servers[-1].spec})
        return measure_biases(settings)

    yield measure
    for server in servers:
        server.close()


@pytest.mark.parametrize("bias", [*CUES, "position"])
def test_a_planted_bias_is_found_and_no_other(measured, bias):
    card = measured(judge(bias))
    assert card.found == [bias]
    row = next(row for row in card.rows if row.bias == bias)
    assert (row.shift < 0) == (bias == "language")
    assert row.answers == len(ANSWERS)


def test_a_judge_without_a_bias_is_cleared(measured):
    card = measured(judge())
    assert card.found == []
    assert [row.bias for row in card.rows] == biases()
    assert any(row.shift for row in card.rows)  # it is unsteady all the same


def test_the_probes_differ_only_in_the_cue():
    for probe in bias_probes():
        plain = ANSWERS[probe.answer]
        if probe.bias == "language":
            assert probe.response == plain.translated
        else:
            assert plain.response in probe.response
            assert probe.query.startswith(plain.query)
        assert (probe.query, probe.response) != (plain.query, plain.response)
    assert all(one.response in text for one, text in zip(ANSWERS, reworded_answers(), strict=True))
    assert len(ANSWERS) == 24


def test_a_sure_but_tiny_shift_is_no_bias():
    (tiny,) = bias_rows({"x": [0.01] * 24})
    (large,) = bias_rows({"x": [0.25] * 24})
    assert (tiny.p_value <= 0.05, tiny.is_found) == (True, False)
    assert large.is_found
    assert large.interval.low < 0.25 < large.interval.high  # 24 answers are not all answers
    (none,) = bias_rows({"x": []})
    assert (none.shift, none.p_value, none.is_found) == (None, None, False)


def test_error_rates_with_few_seeds():
    """The benchmark does 500 judges of each kind; these are its first 40."""
    assert sum(bool(found({}, seed)) for seed in range(40)) <= 4
    for bias in biases():
        caught = [found({bias: 2.0}, seed) for seed in range(10)]
        assert sum(bias in one for one in caught) >= 9


def test_the_command_prints_the_card_and_gates(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    server = Chat(judge("verbosity"))
    words = ["robustness", "--biases", "--judge", server.spec]
    shown = CliRunner().invoke(app, words, standalone_mode=False)
    as_json = CliRunner().invoke(app, [*words, "--json"], standalone_mode=False)
    count = len(server.asked)
    server.answer = lambda asked: "nothing"
    silent = CliRunner().invoke(app, [*words, "--metric", "judge.tone"], standalone_mode=False)
    server.close()
    assert (shown.return_value, as_json.return_value, silent.return_value) == (1, 1, 2)
    assert re.search(r"verbosity +24 +\+0\.\d+ .* found", shown.stdout)
    rows = {row["bias"]: row["is_found"] for row in json.loads(as_json.stdout)["biases"]}
    assert [bias for bias, is_found in rows.items() if is_found] == ["verbosity"]
    assert count == 24 * 7 + 24 * 2  # and nothing for the second card


def test_without_a_judge_there_is_nothing_to_measure():
    with pytest.raises(UsageError, match="no judge is set"):
        measure_biases(Settings.load(environ={}))


@pytest.mark.parametrize("option", ["--attempts", "--max-flips", "--max-shift"])
def test_options_of_attacks_are_refused_where_biases_are_measured(option):
    words = ["robustness", "--biases", "--judge", "fake", option, "1"]
    with pytest.raises(UsageError, match=f"{option} is for attacks; leave it out with --biases"):
        CliRunner().invoke(app, words, standalone_mode=False, catch_exceptions=False)
