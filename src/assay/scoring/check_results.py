"""What came of a check, and how several come together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

CheckVerdict = Literal["pass", "fail", "unsure", "missing", "error"]
"""`unsure`: cannot be told; `missing`: what it looks at is absent; `error`: cannot be used."""
OPEN: tuple[CheckVerdict, ...] = ("error", "missing", "unsure")
"""Those that decide nothing, the most telling first."""
TURNED: dict[CheckVerdict, CheckVerdict] = {"pass": "fail", "fail": "pass"}


class CheckResult(NamedTuple):
    """What came of one check."""

    verdict: CheckVerdict
    fact: str
    """What was found, as a clause: "the response does not contain 'Paris'"."""
    places: tuple[tuple[int, int], ...] = ()
    """Where in the response."""
    calls: tuple[int, ...] = ()
    """Which of the tool calls, from 0."""
    score: float | None = None
    """The figure that was compared with the threshold, where there is one."""
    parts: tuple[CheckResult, ...] = ()

    def turned(self) -> CheckResult:
        """The result of the check with `not-` in front; what decides nothing still does not."""
        return self._replace(verdict=TURNED.get(self.verdict, self.verdict))


class CheckShares(NamedTuple):
    """The weights of checks by what came of them."""

    passed: float
    open: float
    total: float

    @property
    def share(self) -> float | None:
        """The share that is known to hold; None without any weight."""
        return self.passed / self.total if self.total else None


def decided(is_held: bool, fact: str, places: Sequence[tuple[int, int]] = ()) -> CheckResult:
    """The result of a check that holds or does not."""
    return CheckResult("pass" if is_held else "fail", fact, tuple(places))


def shares(results: Sequence[tuple[CheckResult, float]]) -> CheckShares:
    """The weights of some results."""
    return CheckShares(
        sum(weight for result, weight in results if result.verdict == "pass"),
        sum(weight for result, weight in results if result.verdict in OPEN),
        sum(weight for _, weight in results),
    )


def combined(results: Sequence[tuple[CheckResult, float]], threshold: float) -> CheckVerdict:
    """Whether the share that holds reaches the threshold, whatever the open ones would say."""
    weights = shares(results)
    if not weights.total:
        return "missing"
    wanted = threshold * weights.total
    if reaches(weights.passed, wanted):
        return "pass"
    if not reaches(weights.passed + weights.open, wanted):
        return "fail"
    verdicts = {result.verdict for result, weight in results if weight}
    return next(verdict for verdict in OPEN if verdict in verdicts)


def reaches(sum_of_weights: float, wanted: float) -> bool:
    """Whether a sum of weights is as large as another, but for the last digits."""
    return sum_of_weights >= wanted * (1 - 1e-12)
