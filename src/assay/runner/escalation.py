"""What metrics left open is settled elsewhere: by labels that are kept, by the judge, or by people.

A sample is escalated where its verdict is unsure. Who decides replaces the verdict of the metric,
never its value, and the result says so: `decided_by` in its details, and the reason behind its
explanation. What nobody has decided yet waits in the queue (`label_queue.py`) for people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from assay.backends import Backends
from assay.backends.choice import is_configured, judge_spent
from assay.backends.judge_questions import JudgeQuestion, JudgeSpending, Ruling
from assay.core import ModelError, Result, Sample, SampleError, Scores
from assay.core.result import PASSED
from assay.data.escalation import escalation_rubric
from assay.engine import Plan
from assay.engine.run import with_results
from assay.features.rubric_verdicts import QuotedVerdicts, question_of, quoted_verdicts
from assay.metrics.judge.rubric import rubric_metric
from assay.runner.judge_cost import priced
from assay.runner.label_queue import JUDGE, Label, LabelQueue, QueueEntry
from assay.runner.redaction import mask, mask_sample
from assay.safety.pii_masking import masked

QUEUE = "unsure.jsonl"
"""Where undecided samples wait unless a file is named."""


@dataclass(frozen=True, slots=True)
class EscalationRequest:
    """That a run escalates, and where labels are kept."""

    queue: str | None = QUEUE
    """None: in no file, for the store lists what is still unsure for people to label."""


@dataclass(slots=True)
class EscalationCounts:
    """What became of the unsure verdicts of a run."""

    by_judge: int = 0
    by_label: int = 0
    """Decided by labels that the queue held before."""
    waiting: int = 0
    """Undecided: there is no label, or the judge gave no verdict."""
    failed: int = 0
    """Of these, those that the judge was asked about in vain."""

    @property
    def total(self) -> int:
        """All unsure verdicts that were escalated."""
        return self.by_judge + self.by_label + self.waiting


class _OpenVerdict(NamedTuple):
    """A result that is unsure, by the place of its sample in the batch."""

    place: int
    metric: str


class _Decision(NamedTuple):
    """What was decided, and the evidence that goes with it."""

    label: Label
    judged: Result | None = None


class Escalation:
    """Settles the unsure verdicts of a run, batch by batch."""

    def __init__(
        self, request: EscalationRequest, plan: Plan, backends: Backends, *, redact: bool = False
    ) -> None:
        self.counts = EscalationCounts()
        self.queue = LabelQueue(Path(request.queue) if request.queue else None)
        self._redact = redact
        shared = plan.resources.get("judge")
        self._own: Any = None if shared else priced(backends).open([JUDGE], masked)[JUDGE]
        self._judge: Any = shared or self._own

    @property
    def asks(self) -> bool:
        """Whether there is a judge to ask."""
        return is_configured(self._judge)

    @property
    def spent(self) -> JudgeSpending:
        """What was asked beyond the judge of the plan, which counts by itself."""
        return judge_spent([self._own]) if self._own is not None else JudgeSpending()

    def settle(
        self, batch: Sequence[Sample | SampleError], scored: Sequence[Scores]
    ) -> list[Scores]:
        """The scores with every verdict that could be settled."""
        samples = [item for item in batch if isinstance(item, Sample)]
        open_verdicts = [
            _OpenVerdict(place, id)
            for place, scores in enumerate(scored)
            if scores.is_unsure
            for id, result in scores.results.items()
            if result.gates and result.verdict == "unsure"
        ]
        if not open_verdicts:
            return [*scored]
        decisions = self._kept(open_verdicts, samples)
        undecided = [one for one in open_verdicts if one not in decisions]
        judged = self._judged(undecided, samples) if self.asks else {}
        decisions |= {one: d for one, d in judged.items() if isinstance(d, _Decision)}
        failures = {one: d for one, d in judged.items() if isinstance(d, ModelError)}
        settled = self._settled(samples, scored, decisions, failures)
        self._keep(open_verdicts, decisions, samples, settled)
        self.counts.failed += len(failures)
        self.counts.waiting += len(open_verdicts) - len(decisions)
        return settled

    def _kept(
        self, open_verdicts: Sequence[_OpenVerdict], samples: Sequence[Sample]
    ) -> dict[_OpenVerdict, _Decision]:
        """What the queue knows already."""
        labels = {
            one: self.queue.label(self._shown(samples[one.place]), one.metric)
            for one in open_verdicts
        }
        decisions = {one: _Decision(label) for one, label in labels.items() if label}
        self.counts.by_label += len(decisions)
        return decisions

    def _judged(
        self, undecided: Sequence[_OpenVerdict], samples: Sequence[Sample]
    ) -> dict[_OpenVerdict, _Decision | ModelError]:
        """The judge's verdicts on those for which there is a question."""
        questions: dict[_OpenVerdict, JudgeQuestion] = {}
        for one in undecided:
            rubric = escalation_rubric(one.metric)
            question = rubric and question_of(rubric, shown_fields(samples[one.place]))
            if isinstance(question, JudgeQuestion):
                questions[one] = question
        answers = self._judge.judge([*questions.values()]) if questions else []
        outcomes: dict[_OpenVerdict, _Decision | ModelError] = {}
        for one, answer in zip(questions, answers, strict=True):
            if isinstance(answer, Ruling):
                heard = quoted_verdicts(answer, shown_fields(samples[one.place]))
                outcomes[one] = _decision(one.metric, heard)
                self.counts.by_judge += 1
            else:
                outcomes[one] = answer
        return outcomes

    def _settled(
        self,
        samples: Sequence[Sample],
        scored: Sequence[Scores],
        decisions: Mapping[_OpenVerdict, _Decision],
        failures: Mapping[_OpenVerdict, ModelError],
    ) -> list[Scores]:
        """The scores with what was decided, and with why the judge gave no verdict."""
        changed: dict[int, dict[str, Result]] = {}
        for one in (*decisions, *failures):
            result = scored[one.place][one.metric]
            new = _decided(result, decisions[one]) if one in decisions else None
            own = changed.setdefault(one.place, {})
            own[one.metric] = new or _undecided(result, failures[one])
        return [
            with_results(samples[place], scores, changed[place]) if place in changed else scores
            for place, scores in enumerate(scored)
        ]

    def _keep(
        self,
        open_verdicts: Sequence[_OpenVerdict],
        decisions: Mapping[_OpenVerdict, _Decision],
        samples: Sequence[Sample],
        settled: Sequence[Scores],
    ) -> None:
        """Put all of it into the queue."""
        entries = (
            QueueEntry(
                self._shown(samples[one.place]),
                settled[one.place][one.metric],
                decisions[one].label if one in decisions else None,
            )
            for one in open_verdicts
        )
        self.queue.add(map(_masked, entries) if self._redact else entries)

    def _shown(self, sample: Sample) -> Sample:
        """The sample as it may be written."""
        return mask_sample(sample) if self._redact else sample


def _masked(entry: QueueEntry) -> QueueEntry:
    """The entry without personal data in its sample."""
    label = entry.label
    return entry._replace(
        result=entry.result._replace(explanation=mask(entry.result.explanation)),
        label=label and label._replace(reason=mask(label.reason)),
    )


def shown_fields(sample: Sample) -> dict[str, Any]:
    """A sample's fields by name, as a question takes them."""
    return {name: getattr(sample, name) for name in Sample.__slots__}


def _decision(metric: str, heard: QuotedVerdicts) -> _Decision:
    """What the judge's verdicts come to: the commonest answer, of two as common the worse."""
    rubric = escalation_rubric(metric)
    assert rubric is not None
    judged = rubric_metric(rubric).function({rubric.name: heard})
    reason = next((verdict.reason for verdict in heard.ruling.verdicts if verdict.reason), "")
    return _Decision(Label("pass" if judged.value else "fail", JUDGE, reason), judged)


def _decided(result: Result, decision: _Decision) -> Result:
    """The result with the verdict of whoever decided."""
    label, judged = decision
    if judged is not None:
        words = judged.explanation[:1].lower() + judged.explanation[1:].removesuffix(".")
    else:
        who = f"a {label.by}" if label.by == "person" else label.by
        words = f"{'the judge' if label.by == JUDGE else who} labelled it {label.verdict!r}"
    details = {
        **result.details,
        "decided_by": label.by,
        "reason": label.reason,
        **({"judge": dict(judged.details)} if judged is not None else {}),
    }
    return result._replace(
        verdict=label.verdict,
        passed=PASSED[label.verdict],
        explanation=f"{result.explanation.removesuffix('.')}; this is unsure, and {words}.",
        evidence=(*result.evidence, *(judged.evidence if judged is not None else ())),
        details=details,
    ).limited()


def _undecided(result: Result, error: ModelError) -> Result:
    """The result, still unsure, with why the judge gave no verdict."""
    return result._replace(details={**result.details, "judge": {"error": str(error)}})
