"""The judge against a real server with a real model, whose opinion means nothing."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import assay
from assay.backends import Backends, JudgeSettings
from assay.cli import app
from assay.cli.robustness import MAX_FLIPS, MAX_SHIFT
from assay.data.rubrics import read_rubric

RUBRIC = read_rubric(
    "length",
    'title = "How long it is."\nquestion = "How long is the response? 1 is short, 3 is long."\n'
    'inputs = ["response"]\n[scale]\nmin = 1\nmax = 3\n',
)
SAMPLES = [{"response": text} for text in ("The sky is blue.", "It is Paris.", "Thought process:")]
PAIR = [("Main Street 5", "5 Main St.")]


@pytest.fixture
def backends(small_model, own_cache):
    """The model as a judge, with time enough on a busy machine."""
    return Backends(
        embedder="",
        judge=f"openai:{small_model.url}#{small_model.name}",
        judging=JudgeSettings(answer_tokens=120, timeout=500.0, repairs=0),
    )


def test_a_verdict_under_a_schema_is_read_measured_and_kept(backends):
    first = assay.evaluate(SAMPLES, rubrics=[RUBRIC], backends=backends)
    *judged, empty = (scores["judge.length"] for scores in first.scores)
    good = [result for result in judged if result.state == "ok"]
    assert good, judged
    assert all(result.value in (1.0, 2.0, 3.0) for result in good)
    for result in judged:  # so small a model runs on or forgets the nonce, which is no verdict
        told = ("cut off", "not repeat the nonce")
        assert result in good or any(words in result.explanation for words in told)
    assert (empty.value, "degenerate" in empty.details) == (1.0, True)
    spent = first.summary.judge
    assert spent["calls"] == 2
    assert spent["prompt_tokens"] > 2 * 100
    assert 20 < spent["completion_tokens"] <= 2 * 120
    assert not spent["is_usage_estimated"]
    second = assay.evaluate(SAMPLES, rubrics=[RUBRIC], backends=backends)
    assert second.summary.judge["calls"] == len(judged) - len(good)
    assert second.summary.judge["cached"] == len(good)
    for before, after in zip(first.scores, second.scores, strict=True):
        if before["judge.length"].state == "ok":
            assert after == before


def test_a_verdict_that_is_cut_off_is_none(backends):
    short = replace(backends, judging=replace(backends.judging, answer_tokens=2))
    (found,) = short.get("judge").similarities(PAIR, "fuzzy")
    assert "cut off at the token limit" in str(found)
    assert found.fault == "unusable"


def test_its_robustness_is_measured_from_end_to_end(small_model, own_cache, tmp_path, monkeypatch):
    """Three families, three answers: six calls. What it decides means nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_JUDGE_ANSWER_TOKENS", "100")
    monkeypatch.setenv("ASSAY_JUDGE_TIMEOUT", "500")
    monkeypatch.setenv("ASSAY_JUDGE_REPAIRS", "0")
    judge = f"openai:{small_model.url}#{small_model.name}"
    words = ["robustness", "--judge", judge, "--attempts", "3", "--json"]
    ended = CliRunner().invoke(app, words, standalone_mode=False)
    assert ended.exception is None
    assert f"texts go to openai:{small_model.name}@" in ended.stderr
    card = json.loads(ended.stdout)
    whole, *families = card["rows"]
    assert small_model.name in card["signature"]
    assert [row["family"] for row in families] == [
        "plain instruction",
        "appeal",
        "odd suffix",
    ]
    assert whole["without_verdict"] < len(families), "a verdict came through"
    assert 0 <= whole["flips"] <= whole["attempts"] <= len(families) - whole["without_verdict"]
    rate, shift = whole["flip_rate"], whole["mean_shift"]
    is_over = rate is not None and (rate > MAX_FLIPS or shift > MAX_SHIFT)
    expected = 2 if rate is None else int(is_over or not card["may_be_released"])
    assert ended.return_value == expected
