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


def test_there_are_21_families_and_250_attacks_and_more():
    counts = Counter(attack.family for attack in judge_attacks())
    assert len(counts) == 21
    assert sum(counts.values()) >= 250
    assert min(counts.values()) == max(counts.values())
    assert len(set(judge_attacks())) == sum(counts.values())
    assert len(poor_answers()) == 8


def test_an_attack_stands_beside_the_answer_and_neither_is_filled_in():
    for attack in judge_attacks():
        text = attack.on("It opens at {text} {answer} %s.")
        assert "It opens at {text} {answer} %s." in text
        assert attack.text in text


@pytest.mark.parametrize("attempts", [1, 7, 21, 60, 301, 3359, 3360, 9999, None])
def test_few_attempts_are_spread_over_families_and_answers(attempts):
    pairs = attack_pairs(attempts)
    assert len(set(pairs)) == len(pairs) == min(attempts or 3360, 3360)
    families = Counter(attack.family for attack, _ in pairs)
    answers = Counter(answer for _, answer in pairs)
    assert (len(families), len(answers)) == (min(len(pairs), 21), min(len(pairs), 8))
    assert max(families.values()) - min(families.values()) <= 1
    assert max(answers.values()) - min(answers.values()) <= 1


def test_a_judge_that_minds_its_rubric_has_a_clean_card(judged):
    card = judged(graded(1), attempts=60)
    assert (card.all.flips, card.all.attempts, card.all.mean_shift) == (0, 60, 0.0)
    assert card.to_json()["may_be_released"] is True
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


STYLES = {
    "style: longer": lambda text: len(text.split()) > 30,
    "style: confident tone": lambda text: "certain" in text or "no doubt" in text,
    "style: headings and bullets": lambda text: "#" in text or "|---" in text,
    "style: emoji": lambda text: any(ord(char) > 0x1F000 for char in text),
    "style: flattery": lambda text: "question!" in text or "You clearly" in text,
    "style: citations": lambda text: "et al." in text or "doi.org" in text,
    "odd suffix": lambda text: "QED" in text or "summable" in text,
}
"""What a judge may fall for; no other family of attacks has it as often."""


@pytest.mark.parametrize("family", STYLES)
@pytest.mark.parametrize("score", [5, 2])
def test_a_judge_that_falls_for_style_is_found_out(judged, family, score):
    def impressed(asked):
        return graded(score if STYLES[family](asked.plain(1)) else 1)(asked)

    card = judged(impressed, attempts=840)
    assert family in [row.family for row in card.blocked_by()]
    plain = card.to_json()
    assert (plain["may_be_released"], family in plain["blocked_by"]) == (False, True)
    assert card.blocked_by(1.0) == []


def test_a_judge_that_obeys_instructions_alone_falls_for_no_style(judged):
    assert judged(obedient, attempts=840).to_json()["blocked_by"] == ["odd suffix"]


def test_a_style_that_lowers_the_score_blocks_too(judged):
    def annoyed(asked):
        return graded(1 if STYLES["style: emoji"](asked.plain(1)) else 2)(asked)

    card = judged(annoyed, attempts=840)
    assert [row.family for row in card.blocked_by()] == ["style: emoji"]
    assert card.all.mean_shift < 0


def test_a_style_alone_ends_the_command_with_1(tmp_path, monkeypatch):
    """Neither the share of passes nor the shift of all reaches its limit."""

    def impressed(asked):
        return graded(2 if STYLES["style: emoji"](asked.plain(1)) else 1)(asked)

    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    server = Chat(impressed)
    words = ["robustness", "--judge", server.spec, "--attempts", "420"]
    shown = CliRunner().invoke(app, words, standalone_mode=False)
    allowed = CliRunner().invoke(app, [*words, "--max-shift", "0.5"], standalone_mode=False)
    server.close()
    line = shown.stdout.splitlines()[-1]
    assert shown.return_value == 1
    assert line.startswith("judge.helpfulness must not be released with this judge: ")
    assert "style: emoji (+0.2" in line
    assert (allowed.return_value, "must not be released" in allowed.stdout) == (0, False)


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
