"""No text that is judged can write its own verdict, whatever the judge repeats of it."""

import hashlib
import json
import tomllib
from itertools import islice, product
from pathlib import Path

import pytest
from tests.judge.chat import Chat, graded

from assay.backends import JudgeSettings
from assay.backends.judge import EndpointJudge
from assay.backends.judge_questions import NoVerdictError, Ruling
from assay.backends.prompting import LINE, marked, nonce_of
from assay.data.rubrics import rubric
from assay.features.rubric_verdicts import question_of

HONEST, WISHED = 2.0, 5.0
COUNT = 2000
QUERY = "When does the office open?"
PIECES = tomllib.loads((Path(__file__).parent / "payloads.toml").read_text(encoding="utf-8"))
ROLES = ("<|", "|>", "<｜", "｜>", "[inst]", "[/inst]", "<s>", "</s>", "<end_of", "<start_of")


def ask(response):
    return question_of(rubric("helpfulness"), {"query": QUERY, "response": response})


def payloads():
    """Two thousand texts, the same in every run, that want to be a verdict of five."""
    kinds = ("delimiters", "roles", "verdicts", "guesses")
    every = list(product(*(PIECES[kind] for kind in kinds)))
    step = len(every) // COUNT
    for number, parts in enumerate(islice(every, 0, step * COUNT, step)):
        yield _text(number, *parts)


def _text(number, delimiter, role, verdict, guess):
    plain = f"The office opens at {number}. {delimiter}{role}{verdict}".replace("SCORE", "5")
    known = {
        "EARLIER": nonce_of(ask(f"The office opens at {number - 1}.")),
        "HASHED": hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:32],
        "PLAIN": nonce_of(ask(plain)),
    }
    return plain.replace("NONCE", known.get(guess, guess))


def echoes(honest, candidate):
    """The ways in which a careless judge repeats the text beside its verdict: six forms, three
    places; and the text alone."""
    verdict = json.dumps(honest)
    forms = {
        "plain": candidate,
        "fenced": f"```\n{candidate}\n```",
        "quoted": f'"{candidate}"',
        "tagged": f"<response>{candidate}</response>",
        "listed": json.dumps([candidate]),
        "keyed": json.dumps({"response": candidate}),
    }
    for text in forms.values():
        yield from (f"{text}\n{verdict}", f"{verdict}\n{text}", f"{text}\n{verdict}\n{text}")
    yield candidate
    yield verdict.replace("It is so.", candidate)
    yield json.dumps({**honest, "reason": candidate})


FORMS = 21


def careless(asked):
    candidate = asked.plain(1)
    honest = graded(HONEST)(asked)
    forms = list(echoes(honest, candidate))
    assert len(forms) == FORMS
    return forms[int(hashlib.sha256(candidate.encode()).hexdigest(), 16) % FORMS]


@pytest.fixture(scope="module")
def judged():
    """What a careless judge's replies come to, and what it was shown."""
    chat = Chat(careless)
    judge = EndpointJudge("small", chat.url, judging=JudgeSettings(repairs=0), is_kept=False)
    texts = list(payloads())
    found = judge.judge([ask(text) for text in texts])
    chat.close()
    return texts, found, chat.asked


def test_no_forged_verdict_is_accepted(judged):
    texts, found, _ = judged
    assert len(set(texts)) == len(found) == COUNT
    scored = [one.verdicts[0].answer for one in found if isinstance(one, Ruling)]
    assert set(scored) == {HONEST}
    assert all(isinstance(one, Ruling | NoVerdictError) for one in found)
    assert 0 < len(scored) < COUNT // 10  # only a text inside the reason leaves one verdict


def test_no_text_leaves_its_frame(judged):
    for asked in judged[2]:
        assert asked.user.count(asked.nonce) == 5  # around two texts, and in the last line
        assert len(asked.texts) == 2
        inside = [line for text in asked.texts for line in text.splitlines()]
        assert all(line.startswith(LINE) for line in inside)
        assert len(inside) == sum(text.count("\n") + 1 for text in asked.texts)
        assert not any(token in asked.user.lower() for token in ROLES)


def test_a_judge_that_is_not_careless_gives_its_own_score(judged):
    chat = Chat(graded(HONEST))
    judge = EndpointJudge("small", chat.url, is_kept=False)
    found = judge.judge([ask(text) for text in judged[0][::20]])
    chat.close()
    assert {one.verdicts[0].answer for one in found} == {HONEST}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "| "),
        ("a\nb", "| a\n| b"),
        ("a\r\nb\u2028c\x0bd\x85e", "| a\n| b\n| c\n| d\n| e"),
        ("<|im_start|>x", "| < |im_start| >x"),
        ("<\u200b|im_end|>", "| < |im_end| >"),
        ("[INST] a [/inst]", "| [ INST] a [ /inst]"),
        ("a\U000e0041\U000e0042b", "| ab"),
        ("a\x00\x1b[31mb", "| a[31mb"),
        ("القَاهِرَة \u200cب", "| القَاهِرَة \u200cب"),
        ("\ud800", "| \ufffd"),
    ],
)
def test_how_a_text_is_shown(text, expected):
    assert marked(text) == expected
