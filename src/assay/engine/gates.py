"""Gates: conditions on a run that decide its exit code.

text.safety>=0.9                     the mean of a metric, on its own scale
weighted_mean(text.safety)>=0.9      the same with the samples' weights
min(text.safety)>0   max(…)<=5       its lowest, its highest value
pass_rate(text.safety)>=95%          the share of samples that hold the metric's threshold
overall>=0.8   pass_rate>=90%        the mean quality, the share of samples that pass: whole run
errors<=0   missing(text.safety)<=5% samples without a score: a number, or a share of all
pass@3>=95%  pass^3>=80%  consistency>=0.9   several answers to each question: one, all of 3 pass;
                                     two get the same verdict
unread<=1%  samples>=100             records that could not be read; those that could
pass_rate[tag=ar]>=90%               any of them over the samples of one group
text.safety>=0.9 n>=30               undecided with fewer samples than that

A group is `tag=…`, `language=…`, or the name of a field in the samples' metadata.
"""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import NamedTuple

from assay.core import Aggregate, Interval, Metric, Sample, Summary, UsageError
from assay.stats.repeats import Repeats

_OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
_GATE = re.compile(
    r"""\s*(?:(?P<quantity>[a-z_]+)\(\s*(?P<metric>[\w.]+)\s*\)|(?P<name>pass[@^][1-9]\d{0,5}|[\w.]+))
    \s*(?:\[\s*(?P<key>[^\]=]*?)\s*=\s*(?P<value>[^\]]*?)\s*\])?
    \s*(?P<operator>>=|<=|>|<)\s*(?P<limit>[-+.\deE]+)\s*(?P<percent>%?)
    (?:\s*[,\s]\s*n\s*>=\s*(?P<least>\d{1,9}))?\s*""",
    re.VERBOSE,
)
_COUNTS = ("errors", "missing", "imputed", "unread", "scored", "samples")
"""Exact numbers of this run; a limit in per cent makes them shares of all its samples."""
_OF_RUN = ("overall", "pass_rate", "consistency", "errors", "unread", "samples")
"""What a run as a whole has."""
_SCORES = ("mean", "weighted_mean", "min", "max")
"""What is on the metric's own scale."""
_OF_METRIC = (*_SCORES, "pass_rate", "errors", "missing", "imputed", "scored")
_OF_REPEATS = re.compile(r"pass(?P<kind>[@^])(?P<k>[1-9]\d{0,5})|consistency")
"""What several answers to each question have."""
_SHARES = ("overall", "pass_rate", "consistency", *_COUNTS)
"""What a limit in per cent makes sense for; a metric's own scale may be any."""


class SampleGroup(NamedTuple):
    """The samples of a tag, of a language, or with some value in their metadata."""

    key: str
    value: str

    def has(self, sample: Sample) -> bool:
        """Whether the sample belongs to the group."""
        if self.key == "tag":
            return self.value in sample.tags
        if self.key == "language":
            return sample.language == self.value
        value = sample.metadata.get(self.key)
        return value is not None and _plain(value) == self.value


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class GateMeasurement(NamedTuple):
    """The measured quantity of a gate."""

    value: float | None
    """None when nothing was scored."""
    interval: Interval | None
    """None for what is known exactly, and for a mean of one sample."""
    samples: int
    """How many samples it rests on."""
    applicable: int | None = None
    """How many samples have the inputs for it; None where that does not matter or is not known."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition."""

    text: str
    quantity: str
    metric: str
    operator: str
    limit: float
    is_share: bool = False
    """Whether the limit was given in per cent."""
    group: SampleGroup | None = None
    min_samples: int = 0

    @property
    def is_number(self) -> bool:
        """Whether it is on a number of samples, not on a share or a score."""
        return self.quantity in _COUNTS and not self.is_share

    @property
    def is_of_repeats(self) -> bool:
        """Whether it is on several answers to each question."""
        return not self.metric and _OF_REPEATS.fullmatch(self.quantity) is not None

    @property
    def is_exact(self) -> bool:
        """Whether it is on a fact of this run, which no other draw of samples would change."""
        return self.quantity in (*_COUNTS, "min", "max")

    def measure(self, summary: Summary, scored: int | None = None) -> GateMeasurement:
        """The quantity in the summary of the run, or of the gate's group.

        `scored` are the samples that have an overall score, where that is known.
        """
        if self.quantity in _COUNTS:
            return self._count(summary)
        if self.metric:
            return _of_metric(self.quantity, summary.metrics[self.metric])
        if _OF_REPEATS.fullmatch(self.quantity):
            return _of_repeats(self.quantity, summary)
        applicable = summary.applicable
        if self.quantity == "overall":
            known = summary.samples if scored is None else scored
            samples = 0 if summary.overall is None else known
            return GateMeasurement(summary.overall, summary.overall_interval, samples, applicable)
        rate, interval = summary.pass_rate, summary.pass_rate_interval
        return GateMeasurement(rate, interval, summary.judged, applicable)

    def _count(self, summary: Summary) -> GateMeasurement:
        source = summary.metrics[self.metric] if self.metric else summary
        number: int = getattr(source, self.quantity)
        total = summary.samples
        if self.quantity == "unread":
            total += summary.unread
        elif self.quantity == "errors" and not self.metric:
            total *= len(summary.metrics)
        if self.quantity == "samples":
            return GateMeasurement(float(number), None, number)
        if not total:
            return GateMeasurement(None, None, 0)
        value = number / total if self.is_share else float(number)
        return GateMeasurement(value, None, summary.samples)

    def accepts(self, value: float | None) -> bool:
        """Whether a value satisfies the condition; no value does not."""
        return value is not None and bool(_OPERATORS[self.operator](value, self.limit))


def _of_repeats(quantity: str, summary: Summary) -> GateMeasurement:
    """A figure over the questions that have answers enough; nothing where none has."""
    if summary.repeats is None:
        return GateMeasurement(None, None, 0)
    repeats = Repeats.from_json(summary.repeats)
    match = _OF_REPEATS.fullmatch(quantity)
    assert match
    if not match["k"]:
        figure = repeats.consistency()
    elif match["kind"] == "@":
        figure = repeats.pass_at(int(match["k"]))
    else:
        figure = repeats.pass_hat(int(match["k"]))
    return GateMeasurement(*figure)


def _of_metric(quantity: str, aggregate: Aggregate) -> GateMeasurement:
    n, whole = aggregate.scored, aggregate.applicable
    match quantity:
        case "pass_rate":
            rate, interval = aggregate.pass_rate, aggregate.pass_rate_interval
            return GateMeasurement(rate, interval, aggregate.judged, whole)
        case "weighted_mean":
            return GateMeasurement(
                aggregate.weighted_mean, aggregate.weighted_mean_interval, n, whole
            )
        case "min":
            return GateMeasurement(aggregate.minimum, None, n, whole)
        case "max":
            return GateMeasurement(aggregate.maximum, None, n, whole)
        case _:
            return GateMeasurement(aggregate.mean, aggregate.mean_interval, n, whole)


def parse_gate(text: str) -> Gate:
    """Read a condition such as `text.safety>=0.9`."""
    match = _GATE.fullmatch(text)
    if match is None:
        raise _refusal(text)
    parts = match.groupdict()
    name, metric = parts["quantity"] or parts["name"], parts["metric"] or ""
    is_of_repeats = not metric and _OF_REPEATS.fullmatch(name) is not None
    if not parts["quantity"] and not is_of_repeats and name not in (*_OF_RUN, *_OF_METRIC):
        name, metric = "mean", name
    is_share = bool(parts["percent"])
    try:  # exactly: 0.7 % is the share that 7 of 1,000 are
        limit = float(Decimal(parts["limit"]) / (100 if is_share else 1))
    except ArithmeticError:
        raise _refusal(text) from None
    is_known = is_of_repeats or name in (_OF_METRIC if metric else _OF_RUN)
    if not is_known or not isfinite(limit):
        raise _refusal(text)
    _check_share(text, name, limit, is_share=is_share)
    group = None if parts["key"] is None else SampleGroup(parts["key"], parts["value"])
    if group and (not group.key or not group.value or name == "unread"):
        raise _refusal(text)
    return Gate(
        text=" ".join(text.split()),
        quantity=name,
        metric=metric,
        operator=parts["operator"],
        limit=limit,
        is_share=is_share,
        group=group,
        min_samples=int(parts["least"] or 0),
    )


def _check_share(text: str, name: str, limit: float, *, is_share: bool) -> None:
    """Refuse per cent of what has another scale, and shares that no run can have."""
    is_of_repeats = _OF_REPEATS.fullmatch(name) is not None
    if is_share and not is_of_repeats and (name not in _SHARES or name == "samples"):
        raise UsageError(f"gate {text!r}: {name!r} has a scale of its own; give a number, not %")
    is_share |= is_of_repeats or name in ("overall", "pass_rate")
    if is_share and not 0 <= limit <= 1:
        raise UsageError(f"gate {text!r}: {name!r} is from 0 to 1, or from 0% to 100%")


def check_gates(gates: Iterable[Gate], shown: Iterable[Metric]) -> None:
    """Refuse gates on metrics that a run does not score, and limits that these cannot have."""
    known = {metric.id: metric for metric in shown}
    for gate in gates:
        if not gate.metric:
            continue
        if gate.metric not in known and "." not in gate.metric:  # no metric is named so
            raise _refusal(gate.text)
        if gate.metric not in known:
            close = difflib.get_close_matches(gate.metric, known, n=1, cutoff=0.8)
            hint = f"did you mean {close[0]!r}?" if close else f"add it with -m {gate.metric}"
            raise UsageError(
                f"gate {gate.text!r} names {gate.metric!r}, which is not scored; {hint}"
            )
        low, high = known[gate.metric].range
        is_within = (low is None or gate.limit >= low) and (high is None or gate.limit <= high)
        if gate.quantity in _SCORES and not is_within:
            ends = " to ".join("any" if end is None else f"{end:g}" for end in (low, high))
            raise UsageError(f"gate {gate.text!r}: {gate.metric!r} has values from {ends}")


def _refusal(text: str) -> UsageError:
    return UsageError(
        f"{text!r} is not a gate; expected for instance 'text.safety>=0.9', "
        "'pass_rate(text.safety)>=95%', 'overall[language=ar]>=0.8 n>=30', 'pass@3>=90%' or "
        "'errors<=0'"
    )
