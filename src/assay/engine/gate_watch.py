"""Decides gates: watches a run for what its summary does not hold, then gives the verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.core import GateState, GateVerdict, Sample, Scores, Summary
from assay.core.wording import counted
from assay.engine.aggregate import Tally
from assay.engine.gates import Gate, GateMeasurement, SampleGroup, check_gates
from assay.engine.plan import Plan

Flaky = Literal["warn", "pass", "fail"]
"""What becomes of a gate whose interval reaches to both sides of the limit: its value alone
decides, it passes, it fails."""


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """How gates that are not sure are taken."""

    flaky: Flaky = "warn"
    min_samples: int = 0
    """Undecided with fewer samples; a gate may ask for more or fewer of its own."""
    allow_undecided: bool = False
    """Whether a gate that cannot be decided passes."""
    min_coverage: float = 0.9
    """The share of the samples with a metric's inputs that must have a score; below, a gate on it
    fails: samples without a score raise nothing."""


class GateWatch:
    """A sink of scored samples that sums up the groups that gates name."""

    needs_reasons = False
    """Workers may send it scores without explanations, evidence and details."""

    def __init__(
        self,
        gates: Sequence[Gate],
        plan: Plan,
        policy: GatePolicy | None = None,
        *,
        include_imputed: bool = False,
        seed: int = 0,
    ) -> None:
        check_gates(gates, (step.metric for step in plan.shown))
        self._gates = gates
        self._policy = policy or GatePolicy()
        groups = dict.fromkeys(gate.group for gate in gates if gate.group)
        self._tallies = {
            group: Tally(plan, include_imputed=include_imputed, seed=seed) for group in groups
        }
        self._scored: dict[SampleGroup | None, int] = dict.fromkeys((None, *groups), 0)

    @property
    def needs_samples(self) -> bool:
        """Whether it has to see each sample; otherwise it is enough to `count` them."""
        return bool(self._tallies)

    def write(self, sample: Sample, scores: Scores) -> None:
        """Count a sample into its groups."""
        self._scored[None] += scores.score is not None
        for group, tally in self._tallies.items():
            if group.has(sample):
                tally.add(sample, scores)
                self._scored[group] += scores.score is not None

    def count(self, scored: int) -> None:
        """Count samples with a score that were watched elsewhere; groups are not."""
        self._scored[None] += scored

    def verdicts(self, summary: Summary) -> tuple[GateVerdict, ...]:
        """The verdict of each gate on the summary of the whole run."""
        summaries = {group: tally.summary() for group, tally in self._tallies.items()}
        return tuple(
            judge(
                gate,
                gate.measure(
                    summaries[gate.group] if gate.group else summary, self._scored[gate.group]
                ),
                self._policy,
            )
            for gate in self._gates
        )


def judge(gate: Gate, gate_measurement: GateMeasurement, policy: GatePolicy) -> GateVerdict:
    """The verdict of a gate on what was measured."""
    state, explanation = _state(gate, gate_measurement, policy)
    if state == "flaky":
        passes = (
            gate.accepts(gate_measurement.value)
            if policy.flaky == "warn"
            else policy.flaky == "pass"
        )
    else:
        passes = state == "holds" or (state == "undecided" and policy.allow_undecided)
    return GateVerdict(gate.text, state, passes, explanation, *gate_measurement[:3])


def _state(
    gate: Gate, gate_measurement: GateMeasurement, policy: GatePolicy
) -> tuple[GateState, str]:
    if gate.quantity == "samples":
        return (
            "holds" if gate.accepts(gate_measurement.value) else "fails"
        ), f"there are {gate_measurement.samples}"
    if gate_measurement.value is None or not gate_measurement.samples:
        if gate.is_of_repeats:
            return "undecided", "no question has enough answers (--score-repeats scores each)"
        where = f" among the samples with {gate.group.key}={gate.group.value}" if gate.group else ""
        return "undecided", f"nothing was scored{where}"
    if lack := lacking(gate_measurement.samples, gate_measurement.applicable, policy.min_coverage):
        return "fails", lack
    least = gate.min_samples or policy.min_samples
    if gate_measurement.samples < least:
        return "undecided", f"only {_counted(gate, gate_measurement)}; it needs {least}"
    if gate_measurement.interval is None and not gate.is_exact:
        return "flaky", f"{_explanation(gate, gate_measurement)}, too few for an interval"
    if gate_measurement.interval is None:
        return ("holds" if gate.accepts(gate_measurement.value) else "fails"), _explanation(
            gate, gate_measurement
        )
    accepted = [gate.accepts(end) for end in (*gate_measurement.interval, gate_measurement.value)]
    if any(accepted) and not all(accepted):
        return "flaky", f"{_explanation(gate, gate_measurement)}; the limit is within the interval"
    return ("holds" if all(accepted) else "fails"), _explanation(gate, gate_measurement)


def lacking(scored: int, applicable: int | None, min_coverage: float) -> str:
    """Why too few of the samples with a metric's inputs have a score; empty where enough have."""
    if not applicable or scored >= min_coverage * applicable:
        return ""
    share = f"{100 * scored / applicable:.3g} %"
    return (
        f"only {scored} of {applicable} samples with its inputs could be scored ({share}); "
        f"at least {100 * min_coverage:g} % are needed"
    )


def _explanation(gate: Gate, gate_measurement: GateMeasurement) -> str:
    assert gate_measurement.value is not None
    scale, unit = (100, " %") if gate.is_share else (1, "")
    value = (
        f"{gate_measurement.value:.0f}"
        if gate.is_number
        else _apart(gate_measurement.value, gate.limit, scale)
    )
    ends = ", ".join(f"{scale * end:.4g}" for end in gate_measurement.interval or ())
    ends = f" [{ends}]" if ends else ""
    return f"it is {value}{unit}{ends} over {_counted(gate, gate_measurement)}"


def _apart(value: float, limit: float, scale: int) -> str:
    """The value, with enough digits to tell it from the limit."""
    form = "g" if scale > 1 else "f"
    shown, limits = ([f"{scale * one:.{n}{form}}" for n in range(4, 17)] for one in (value, limit))
    pairs = zip(shown, limits, strict=True)
    return next((one for one, other in pairs if value == limit or one != other), shown[0])


def _counted(gate: Gate, gate_measurement: GateMeasurement) -> str:
    return counted(gate_measurement.samples, "question" if gate.is_of_repeats else "sample")
