"""How probable a judge found each answer, from the probabilities of the tokens of its reply.

A verdict of 4 may be a firm 4 or one that was nearly a 3. Where an endpoint tells the likeliest
tokens at the place of the answer, those that are answers too share out the probability. That works
where one token decides: whole numbers of one digit, and labels that begin differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from assay.backends.judge_questions import AnswerProbabilities, JudgeQuestion, Labels, Numbers

MOST_ALTERNATIVES = 20
"""As many as endpoints give."""
LEAST_MASS = 0.5
"""Answers that have less of the probability together say nothing reliable."""
_BLANK = " \t\r\n"
_AROUND = ' \t\r\n:,}"'


class ScoredToken(NamedTuple):
    """A token of a reply, with what might have stood in its place."""

    text: str
    alternatives: tuple[tuple[str, float], ...]
    """Text and natural logarithm of the probability; the token itself is among them."""


def has_token_answers(question: JudgeQuestion) -> bool:
    """Whether one token decides the answer."""
    answers = question.answers
    if isinstance(answers, Numbers):
        return answers.is_whole and answers.low >= 0 and answers.high <= 9
    return len({label[:1] for label in answers.labels}) == len(answers.labels)


def answer_probabilities(
    content: str, question: JudgeQuestion, tokens: Sequence[ScoredToken]
) -> AnswerProbabilities:
    """Answer → probability, adding up to 1; nothing where the tokens do not tell."""
    key = "score" if isinstance(question.answers, Numbers) else "label"
    start = _value_start(content, key) if tokens and has_token_answers(question) else -1
    token = _token_at(content, start + isinstance(question.answers, Labels), tokens)
    if start < 0 or token is None:
        return ()
    masses: dict[float | str, float] = {}
    for text, logarithm in dict(token.alternatives).items():
        answer = _answer(text.strip(_AROUND), question.answers)
        if answer is not None and logarithm <= 0:
            masses[answer] = masses.get(answer, 0.0) + exp(logarithm)
    total = sum(masses.values())
    if not LEAST_MASS <= total <= 1.001:
        return ()
    return tuple((answer, mass / total) for answer, mass in masses.items())


def _answer(text: str, answers: Numbers | Labels) -> float | str | None:
    """The answer that a token stands for."""
    if isinstance(answers, Numbers):
        is_digit = len(text) == 1 and text in "0123456789"
        return float(text) if is_digit and answers.low <= int(text) <= answers.high else None
    fitting = [label for label in answers.labels if text and label.startswith(text)]
    return fitting[0] if len(fitting) == 1 else None


def _value_start(content: str, key: str) -> int:
    """Where the value of a key of the one object begins; −1 where it does not stand there.

    Quotation marks inside of a text are escaped, so that the key with a colon behind it is the key.
    """
    name = f'"{key}"'
    place = content.rfind(name)
    rest = content[place + len(name) :].lstrip(_BLANK)
    if place < 0 or not rest.startswith(":"):
        return -1
    return len(content) - len(rest[1:].lstrip(_BLANK))


def _token_at(content: str, start: int, tokens: Sequence[ScoredToken]) -> ScoredToken | None:
    """The token in which the value begins, counted from the end.

    What stands before may be split inside of a character, so that its tokens do not spell it.
    """
    tail, spelt = content[start:], ""
    for token in reversed(tokens):
        spelt = token.text + spelt
        if len(spelt) >= len(tail):
            return token if spelt.endswith(tail) else None
    return None
