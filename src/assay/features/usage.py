"""What a call used: its model and its tokens, as the metadata or an estimate has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.core import Result, State, feature

CHARS_PER_TOKEN = 4
"""Characters that a token has on average, by the documented estimate of the governance rules."""
MAX_TOKENS = 2**53
"""More than this is no count; up to here a float holds every whole number."""
MAX_NAME = 60
"""At most this many characters of a model's name are shown."""
_PROMPT = ("prompt_tokens", "input_tokens")
_COMPLETION = ("completion_tokens", "output_tokens")


class CallUsage(NamedTuple):
    """What the metadata say of a call."""

    model: str
    """Empty where it is not named."""
    prompt_tokens: int | None
    completion_tokens: int | None

    @property
    def shown_model(self) -> str:
        """The model's name in quotes, short enough for a sentence."""
        is_long = len(self.model) > MAX_NAME
        return repr(f"{self.model[: MAX_NAME - 1]}…" if is_long else self.model)


class TokenUsage(NamedTuple):
    """The tokens of a call; `estimated` names those that were not counted."""

    prompt: int
    completion: int
    estimated: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """Prompt and completion together."""
        return self.prompt + self.completion

    def details(self) -> dict[str, Any]:
        """The counts and whether they are estimates, for a result's details."""
        return {
            "prompt_tokens": self.prompt,
            "completion_tokens": self.completion,
            "estimated": bool(self.estimated),
        }


@feature(data=("prices/documented.toml",))
def usage(metadata: Mapping[str, Any]) -> CallUsage:
    """The model and the counted tokens; what is no count is taken as absent."""
    model = metadata.get("model")
    return CallUsage(
        model.strip() if isinstance(model, str) else "",
        _first_count(metadata, _PROMPT),
        _first_count(metadata, _COMPLETION),
    )


def spent(
    usage: CallUsage, query: str | None, response: str | None, response_tokens: int | None
) -> TokenUsage | Result:
    """The tokens of a call, estimated from the texts where they were not counted.

    A missing result where the model is not named or there is nothing to estimate from.
    """
    if not usage.model:
        return Result.missing("The metadata name no 'model'.")
    counted = (usage.prompt_tokens, _first(usage.completion_tokens, response_tokens))
    prompt, completion = _first(counted[0], estimate(query)), _first(counted[1], estimate(response))
    if prompt is None:
        return Result.missing("The sample has neither 'prompt_tokens' nor a query.")
    if completion is None:
        return Result.missing("The sample has neither 'completion_tokens' nor a response.")
    names = ("prompt", "completion")
    estimated = (name for name, count in zip(names, counted, strict=True) if count is None)
    return TokenUsage(prompt, completion, tuple(estimated))


def estimate(text: str | None) -> int | None:
    """The documented estimate: characters // 4, at least 1; None without a text."""
    return None if text is None else max(1, len(text) // CHARS_PER_TOKEN)


def priced(
    value: float | None, explanation: str, tokens: TokenUsage, details: Mapping[str, Any]
) -> Result:
    """A result about the tokens of a call; imputed where some of them are an estimate."""
    state: State = "imputed" if tokens.estimated else "ok"
    if tokens.estimated:
        explanation = (
            f"{explanation}; the tokens of the {' and the '.join(tokens.estimated)} are estimated"
        )
    return Result(value, f"{explanation}.", details={**details, **tokens.details()}, state=state)


def inverted(amount: float, limit: float) -> float:
    """1 for nothing, falling to 0 at the limit; without a limit anything at all is too much."""
    if limit <= 0:
        return 0.0 if amount > 0 else 1.0
    return 1.0 - min(amount / limit, 1.0)


def _first(count: int | None, other: int | None) -> int | None:
    return other if count is None else count


def _first_count(metadata: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    counts = (_count(metadata.get(name)) for name in names)
    return next((count for count in counts if count is not None), None)


def _count(given: Any) -> int | None:
    """A whole number of 0 or more, also as text; None for anything else."""
    if isinstance(given, str) and given.isascii() and given.isdecimal() and len(given) < 20:
        given = int(given)
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    is_whole = isinstance(given, int) and not isinstance(given, bool)
    return given if is_whole and 0 <= given <= MAX_TOKENS else None
