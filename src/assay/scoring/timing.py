"""Seconds and tokens, as the performance metrics count them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from assay.core.result import Result

CHARS_PER_TOKEN = 3.5
"""Characters that a token has on average, by the documented estimate."""


class TokenCount(NamedTuple):
    """How many tokens a response has."""

    number: int
    is_estimated: bool


class TimingWording(NamedTuple):
    """How a metric speaks of `{tokens}` and `{duration}`."""

    counted: str
    estimated: str
    absent: str


def finite(value: float) -> float:
    """The value, or the largest number there is where it would be infinite."""
    return min(value, sys.float_info.max)


def milliseconds(seconds: float) -> float:
    """Milliseconds, from seconds."""
    return finite(1000.0 * seconds)


def estimated_tokens(response: str | None, chars_per_token: float = CHARS_PER_TOKEN) -> int | None:
    """The documented estimate: characters / 3.5, cut to a whole number, at least 1."""
    return None if response is None else int(max(1.0, len(response) / chars_per_token))


def token_count(
    response_tokens: int | None, response: str | None, chars_per_token: float = CHARS_PER_TOKEN
) -> TokenCount | None:
    """The given number of tokens, else an estimate; None where there is nothing to count."""
    if response_tokens is not None:
        return TokenCount(response_tokens, False)
    estimate = estimated_tokens(response, chars_per_token)
    return None if estimate is None else TokenCount(estimate, True)


def by_tokens(
    rule: Callable[[float, int], float], duration: float | None, tokens: TokenCount | None
) -> float | None:
    """The value of a rule over time and tokens; None where there is no time or no token."""
    if not duration or not tokens or not tokens.number:
        return None
    return finite(rule(duration, tokens.number))


def token_result(
    value: float | None, duration: float, tokens: TokenCount | None, wording: TimingWording
) -> Result:
    """The result of such a value, imputed where the tokens are estimated."""
    if value is None or tokens is None:
        return Result.missing(wording.absent)
    form = wording.estimated if tokens.is_estimated else wording.counted
    explanation = form.format(tokens=tokens.number, duration=f"{duration:.6g}")
    return Result.imputed(value, explanation) if tokens.is_estimated else Result(value, explanation)
