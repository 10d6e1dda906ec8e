"""Gates: conditions on a run's summary that decide its exit code.

text.safety>=0.9              the mean of a metric
pass_rate(text.safety)>=0.95  the share of samples that pass a metric's threshold
overall>=0.8   pass_rate>=0.9 the same of the whole run
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from math import isfinite

from assay.core import Summary, UsageError

_OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
_GATE = re.compile(r"\s*(?:(pass_rate)\(([\w.]+)\)|([\w.]+))\s*(>=|<=|>|<)\s*([-+.\deE]+)\s*")


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition."""

    text: str
    quantity: str
    metric: str
    operator: str
    limit: float

    def value(self, summary: Summary) -> float | None:
        """The quantity that the condition speaks of; None when nothing was scored."""
        whole = {"overall": summary.overall, "pass_rate": summary.pass_rate}
        if not self.metric:
            return whole[self.quantity]
        aggregate = summary.metrics[self.metric]
        return aggregate.pass_rate if self.quantity == "pass_rate" else aggregate.mean

    def holds(self, summary: Summary) -> bool:
        """Whether the condition holds; it does not when nothing was scored."""
        return self.accepts(self.value(summary))

    def accepts(self, value: float | None) -> bool:
        """Whether a value satisfies the condition; no value does not."""
        return value is not None and bool(_OPERATORS[self.operator](value, self.limit))


def parse_gate(text: str) -> Gate:
    """Read a condition such as `text.safety>=0.9`."""
    match = _GATE.fullmatch(text)
    try:
        if not match:
            raise ValueError
        rate, rated, name, sign, number = match.groups()
        limit = float(number)
        if not isfinite(limit):
            raise ValueError
        if rate:
            return Gate(text, "pass_rate", rated, sign, limit)
        if name in ("overall", "pass_rate"):
            return Gate(text, name, "", sign, limit)
        return Gate(text, "mean", name, sign, limit)
    except ValueError:
        raise UsageError(
            f"{text!r} is not a gate; expected for instance 'text.safety>=0.9', "
            "'pass_rate(text.safety)>=0.95' or 'overall>=0.8'"
        ) from None
