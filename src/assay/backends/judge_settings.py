"""How a judge is asked, and what it may cost."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import Any, get_args

from assay.backends.judge_questions import Format, ScoreMode
from assay.core.errors import ProfileError
from assay.core.jsontext import dumps, loads

RESERVED = (
    *("messages", "model", "n", "response_format", "stream"),
    *("system", "tools", "tool_choice", "contents", "systemInstruction", "candidateCount"),
    *("responseMimeType", "responseSchema", "responseJsonSchema"),
)
"""What `extra` may not say in any protocol: the verdict depends on it."""
INNER = "generationConfig"
"""The field of Google's protocol that holds options; what is reserved is so inside of it too."""
SAMPLES = 10
"""Verdicts at temperature 1 whose mean stands in for token probabilities; where single verdicts
spread by one grade, the standard error of the mean of ten is a third of a grade."""
_COSTS = ("concurrency", "timeout", "max_calls", "max_tokens", "max_spend", "price")
"""What changes no verdict."""


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """The judge's options, as plain data that can be sent to another process."""

    format: Format = "json_schema"
    """How the endpoint is told that JSON is wanted; there is no silent second try without."""
    score: ScoreMode = "verdict"
    """`expected`: the mean over answers, by token probabilities where the endpoint gives them and
    by sampled verdicts where it does not."""
    repeats: int = 1
    """Verdicts on each question, with seeds that differ."""
    temperature: float = 0.0
    seed: int = 0
    """The first of the seeds where there are repeats."""
    answer_tokens: int = 600
    """The longest verdict."""
    repairs: int = 1
    """How often an unusable answer is asked for again: 0 or 1."""
    extra: str = ""
    """More fields of the request, as a JSON object; null leaves one out."""
    redact: bool = False
    """Whether personal data is redacted before texts are sent."""
    concurrency: int = 8
    """Calls on their way at one time, at most."""
    timeout: float = 180.0
    """Seconds for one call."""
    max_calls: int = 0
    max_tokens: int = 0
    max_spend: float = 0.0
    """Caps on a run: calls, tokens and USD; 0 for none."""
    price: tuple[float, float] | None = None
    """USD per million tokens of prompt and of answer."""

    def __post_init__(self) -> None:
        if self.format not in get_args(Format):
            known = ", ".join(get_args(Format))
            raise ProfileError(f"the judge's format is {self.format!r}; expected one of {known}")
        if self.score not in get_args(ScoreMode):
            known = ", ".join(get_args(ScoreMode))
            raise ProfileError(f"the judge's score is {self.score!r}; expected one of {known}")
        if not 1 <= self.repeats <= 100 or self.repairs not in (0, 1):
            raise ProfileError("a judge gives 1 to 100 verdicts, and repairs 0 or 1 answers")
        if not isfinite(self.temperature) or not 0 <= self.temperature <= 2:
            raise ProfileError(f"the judge's temperature is {self.temperature}; expected 0 to 2")
        if min(self.answer_tokens, self.concurrency) < 1 or not self.timeout > 0:
            raise ProfileError("a judge needs an answer token, a call at a time and a second")
        self.extra_fields()

    def extra_fields(self) -> dict[str, Any]:
        """The further fields of a request."""
        try:
            extra = loads(self.extra) if self.extra else {}
        except ValueError as error:
            raise ProfileError(f"the judge's extra fields are no JSON: {error}") from None
        if not isinstance(extra, dict):
            raise ProfileError(f"the judge's extra fields are {self.extra!r}; expected an object")
        inner = extra.get(INNER, {})
        if not isinstance(inner, dict):
            raise ProfileError(
                f"the judge's extra field {INNER!r} is {inner!r}; expected an object"
            )
        if taken := (extra.keys() | inner.keys()) & set(RESERVED):
            raise ProfileError(f"the judge's extra fields may not set {min(taken)!r}")
        return extra

    @property
    def is_sampled(self) -> bool:
        """Whether verdicts are sampled where no token probabilities are given."""
        return self.score == "expected" and self.repeats == 1

    def sampling(self) -> JudgeSettings:
        """The options of verdicts that are drawn as the model's probabilities say."""
        return replace(self, temperature=1.0, repeats=SAMPLES)

    @property
    def identity(self) -> str:
        """What of it a verdict depends on; nothing for the defaults."""
        own, usual = asdict(self), asdict(_DEFAULT)
        chosen = {n: v for n, v in own.items() if n not in _COSTS and v != usual[n]}
        chosen |= {"samples": SAMPLES} if self.is_sampled else {}
        return hashlib.sha256(dumps(chosen).encode()).hexdigest()[:6] if chosen else ""

    def share(self, parts: int) -> JudgeSettings:
        """The caps of one of several processes that work on a run together."""
        shares: dict[str, Any] = {
            name: max(1, cap // parts) if (cap := getattr(self, name)) else 0
            for name in ("max_calls", "max_tokens")
        }
        return replace(self, **shares, max_spend=self.max_spend / parts)


_DEFAULT = JudgeSettings()
NAMES = tuple(field.name for field in fields(JudgeSettings))
