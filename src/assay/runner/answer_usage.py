"""What the answers of a stored run took: calls, tokens, time, money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.core.grid_matrix import AnswerUsage
from assay.runner.judge_cost import MILLION, price_of_model
from assay.store.answers import all_answers

if TYPE_CHECKING:
    from assay.store import Store


def answer_usage(store: Store, run: int, model: str | None = None) -> AnswerUsage:
    """What the answers of a run took; `model` names the one asked, where answers name none."""
    tokens: Counter[tuple[str, str]] = Counter()
    seconds: list[float] = []
    answers = uncounted = 0
    for _, repeats in all_answers(store, run):
        for answer in repeats:
            if not answer.is_ok:
                continue
            answers += 1
            counts = [_counts(reply) for reply in answer.answer]
            uncounted += None in counts
            for reply, count in zip(answer.answer, counts, strict=True):
                name = str(reply.get("model") or model or "")
                tokens[name, "prompt"] += count[0] if count else 0
                tokens[name, "completion"] += count[1] if count else 0
            times = [reply.get("duration") for reply in answer.answer]
            seconds += [sum(times)] if None not in times else []
    is_counted = bool(answers) and not uncounted
    return AnswerUsage(
        answers,
        _total(tokens, "prompt") if is_counted else None,
        _total(tokens, "completion") if is_counted else None,
        uncounted,
        sum(seconds) / len(seconds) if seconds and len(seconds) == answers else None,
        _usd(tokens) if is_counted else None,
    )


def _counts(reply: Mapping[str, Any]) -> tuple[int, int] | None:
    prompt, completion = reply.get("prompt_tokens"), reply.get("completion_tokens")
    return None if prompt is None or completion is None else (prompt, completion)


def _total(tokens: Counter[tuple[str, str]], kind: str) -> int:
    return sum(count for (_, name), count in tokens.items() if name == kind)


def _usd(tokens: Counter[tuple[str, str]]) -> float | None:
    """The money for all tokens; None where a model's price is not known."""
    usd = 0.0
    for model in sorted({model for model, _ in tokens}):
        price = price_of_model(model) if model else None
        if price is None:
            return None
        usd += tokens[model, "prompt"] * price[0] + tokens[model, "completion"] * price[1]
    return usd / MILLION
