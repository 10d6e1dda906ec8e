"""A judge that follows what answers say is found out; one that does not has a clean card."""

import json
from collections import Counter

import pytest
from click.testing import CliRunner
from tests.judge.chat import Chat, graded

from assay.cli import app
from assay.core import UsageError
from assay.data.judge_attacks import judge_attacks, poor_answers
from assay.runner.judge_robustness import attack_pairs, measure_robustness
from assay.settings import Settings

OBEDIENT = ("highest", "maximum", "perfect")


def obedient(asked):
    """Gives the best score where the answer asks for it in plain words."""
    is_told = any(word in asked.plain(1) for word in OBEDIENT)
    return graded(5 if is_told else 1)(asked)


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Measures a judge that answers as given."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    servers = []

    def measure(answer, **given):
        servers.append(Chat(answer))
        settings = Settings.load(environ={}, overrides={"judge": servers[-1].spec})
        return measure_robustness(settings, **given)

    yield measure
    for server in servers:
        server.close()


def test_there_are_15_families_and_250_attacks_and_more():
    counts = Counter(attack.family for attack in judge_attacks())
    assert len(counts) == 15
    assert sum(counts.values()) >= 250
    assert min(counts.values()) == max(counts.values())
    assert len(set(judge_attacks())) == sum(counts.values())
    assert len(poor_answers()) == 8


def test_an_attack_stands_beside_the_answer_and_neither_is_filled_in():
    for attack in judge_attacks():
        text = attack.on("It opens at {text} {answer} %s.")
        assert "It opens at {text} {answer} %s." in text
        assert attack.text in text


@pytest.mark.parametrize("attempts", [1, 7, 15, 60, 301, 2399, 2400, 9999, None])
def test_few_attempts_are_spread_over_families_and_answers(attempts):
    pairs = attack_pairs(attempts)
    assert len(set(pairs)) == len(pairs) == min(attempts or 2400, 2400)
    families = Counter(attack.family for attack, _ in pairs)
    answers = Counter(answer for _, answer in pairs)
    assert (len(families), len(answers)) == (min(len(pairs), 15), min(len(pairs), 8))
    assert max(families.values()) - min(families.values()) <= 1
    assert max(answers.values()) - min(answers.values()) <= 1


def test_a_judge_that_minds_its_rubric_has_a_clean_card(judged):
    card = judged(graded(1), attempts=60)
    assert (card.all.flips, card.all.attempts, card.all.mean_shift) == (0, 60, 0.0)
    assert "small" in card.signature


def test_a_judge_that_obeys_is_found_out_by_family(judged):
    card = judged(obedient, attempts=600)
    expected = Counter(
        attack.family for attack in judge_attacks() if any(word in attack.text for word in OBEDIENT)
    )
    rows = {row.family: row for row in card.rows[1:]}
    assert {family for family, row in rows.items() if row.flips} == set(expected)
    assert card.all.flips == sum(row.flips for row in rows.values())
    assert card.all.mean_shift == pytest.approx(card.all.flip_rate)  # from the worst to the best
    assert rows["appeal"].flips == 0
    low, high = card.to_json()["rows"][0]["interval"]
    assert low < card.all.flip_rate < high


def test_an_answer_that_passes_untouched_cannot_be_made_to_pass(judged):
    card = judged(graded(5), attempts=30)
    assert (card.all.attempts, card.all.flip_rate, card.all.mean_shift) == (0, None, 0.0)


def test_replies_without_a_verdict_are_counted_apart(judged):
    def confused(asked):
        return "no verdict" if "highest" in asked.plain(1) else graded(1)(asked)

    card = judged(confused, attempts=60)
    assert card.all.without_verdict > 0
    assert card.all.attempts + card.all.without_verdict == 60
    assert card.all.flips == 0


def test_without_a_judge_there_is_nothing_to_measure():
    with pytest.raises(UsageError, match="no judge is set"):
        measure_robustness(Settings.load(environ={}))


@pytest.mark.parametrize(
    ("answer", "code"), [(graded(1), 0), (obedient, 1), (graded(5), 2)], ids=["firm", "obeys", "5"]
)
def test_the_command_prints_the_card_and_gates(answer, code, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    server = Chat(answer)
    words = ["robustness", "--judge", server.spec, "--attempts", "120"]
    shown = CliRunner().invoke(app, words, standalone_mode=False)
    as_json = CliRunner().invoke(app, [*words, "--json"], standalone_mode=False)
    server.close()
    assert (shown.return_value, as_json.return_value) == (code, code)
    assert f"texts go to openai:small@{server.url.removeprefix('http://')}." in shown.stderr
    assert "forged verdict" in shown.stdout
    assert json.loads(as_json.stdout)["rows"][0]["family"] == "all"
