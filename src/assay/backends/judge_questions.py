"""What a judge is asked, and what it answers, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from assay.core.errors import ModelError


@dataclass(frozen=True, slots=True)
class Numbers:
    """The answer is a number of a scale."""

    low: float
    high: float
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Labels:
    """The answer is one of some words."""

    labels: tuple[str, ...]


class UntrustedText(NamedTuple):
    """A text that the judge is shown; whoever wrote it is not trusted."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """Something to judge."""

    instructions: str
    """Ours: what is to be judged, and how."""
    texts: tuple[UntrustedText, ...]
    answers: Numbers | Labels
    explains: bool = True
    """Whether a reason and a quotation are asked for."""
    is_averaged: bool = True
    """Whether the mean over several answers may be its score, as of a rubric; else one counts."""


AnswerProbabilities = tuple[tuple[float | str, float], ...]
"""Answer → how probable the judge found it; empty where the endpoint does not tell."""


class JudgeVerdict(NamedTuple):
    """One answer of a judge."""

    answer: float | str
    """A number of the scale, or a label."""
    reason: str = ""
    quote: str = ""
    judge: str = ""
    """Who gave it, where several judges were asked."""
    probabilities: AnswerProbabilities = ()


class VerdictUsage(NamedTuple):
    """What some verdicts took, as the endpoint measured it."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_estimated: bool = False
    """Whether the endpoint did not tell, so that the texts' sizes stand in."""

    def __add__(self, other: object) -> VerdictUsage:
        if not isinstance(other, VerdictUsage):
            return NotImplemented
        return VerdictUsage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.is_estimated or other.is_estimated,
        )


class Ruling(NamedTuple):
    """All verdicts on one question."""

    verdicts: tuple[JudgeVerdict, ...]
    usage: VerdictUsage
    """What these verdicts took when they were made, which may have been in an earlier run."""
    failures: tuple[str, ...] = ()
    """Why some of several verdicts could not be used."""
    is_expected: bool = False
    """Whether the score is the mean over what the judge might have said, not what it said."""


class NoVerdictError(ModelError):
    """The judge could not be asked, or its answer is not the one verdict that was asked for."""

    def __init__(self, message: str, *, reply: str = "", fault: str = "unusable") -> None:
        super().__init__(message)
        self.reply = reply
        """What it said, made harmless and cut."""
        self.fault = fault
        """What kind of failure it is, in the words of `assay.wire.call_errors.Fault`."""


@dataclass(frozen=True, slots=True)
class JudgeSpending:
    """What a judge was asked in a run, and what that took."""

    calls: int = 0
    """Requests that were sent, repetitions included."""
    cached: int = 0
    """Verdicts that an earlier run had asked for."""
    usage: VerdictUsage = field(default_factory=VerdictUsage)
    """Of this run's calls."""
    usd: float | None = None
    """What they cost; None where the model's price is not known."""

    def __add__(self, other: JudgeSpending) -> JudgeSpending:
        known = [usd for usd in (self.usd, other.usd) if usd is not None]
        return JudgeSpending(
            self.calls + other.calls,
            self.cached + other.cached,
            self.usage + other.usage,
            sum(known) if known else None,
        )


ScoreMode = Literal["verdict", "expected"]
"""Whether a score is the verdict, or the mean of what the judge might have said."""
Format = Literal["json_schema", "json_object", "none"]
"""How an endpoint is told that JSON is wanted."""
