"""What a judge says about a sample, by the rubrics of a run.

Each rubric shows the judge the fields that it declares, and nothing else of the sample. All
questions of a batch are asked together. A response that says nothing is not shown to the judge
(`degenerate.py`), unless the rubric wants it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from assay.backends import Judge
from assay.backends.choice import is_configured
from assay.backends.judge_questions import JudgeQuestion, Labels, Numbers, Ruling, UntrustedText
from assay.core import Document, ModelError, Span, feature
from assay.core.jsontext import dumps
from assay.data.rubric_steps import Checklist, Step, TreeNode, steps_of
from assay.data.rubrics import SHOWN_FIELDS, Rubric, RubricChoice, Scale
from assay.textproc.degenerate import emptiness

QUOTED = ("response", "query", "expected", "gold_context")
"""The fields in which a judge's quotation is looked for, in this order."""
SHORTEST_QUOTE = 3
"""Characters; shorter ones stand everywhere."""


class EmptyResponse(NamedTuple):
    """A response that no judge was shown."""

    reason: str


class QuotedVerdicts(NamedTuple):
    """A judge's verdicts, and the words that it quotes."""

    ruling: Ruling
    evidence: tuple[Span, ...]


class StepVerdict(NamedTuple):
    """The answer to one question of a checklist or decision tree."""

    step: Step
    label: str
    """The commonest of several verdicts; of several that are as common the one listed first."""
    heard: QuotedVerdicts


class SteppedVerdicts(NamedTuple):
    """The answers to the questions that were asked, in order."""

    steps: tuple[StepVerdict, ...]


Judged = QuotedVerdicts | SteppedVerdicts | ModelError | EmptyResponse | None
"""What came of a question; None where there is no judge, or the sample lacks a field."""


@feature(is_batch=True, data=("degenerate.toml",), fields=SHOWN_FIELDS)
def rubric_verdicts(
    rubrics: Sequence[Rubric],
    judge: Judge,
    *columns: list[Any] | None,
) -> list[Mapping[str, Judged]]:
    """Rubric's name → what the judge says."""
    given = {name: own for name, own in zip(SHOWN_FIELDS, columns, strict=True) if own}
    samples = [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]
    if not is_configured(judge):
        return [dict.fromkeys(rubric.name for rubric in rubrics) for _ in samples]
    verdicts: list[dict[str, Judged]] = [{} for _ in samples]
    questions: list[tuple[int, str, JudgeQuestion]] = []
    for place, sample in enumerate(samples):
        for rubric in rubrics:
            if rubric.steps:
                continue
            question = question_of(rubric, sample)
            if isinstance(question, JudgeQuestion):
                questions.append((place, rubric.name, question))
            else:
                verdicts[place][rubric.name] = question
    answers = judge.judge([question for _, _, question in questions])
    for (place, name, _), answer in zip(questions, answers, strict=True):
        heard = quoted_verdicts(answer, samples[place]) if isinstance(answer, Ruling) else answer
        verdicts[place][name] = heard
    walks = [_Walk(place, rubric) for place in range(len(samples)) for rubric in rubrics]
    for walk in _walked([walk for walk in walks if walk.rubric.steps], samples, judge):
        verdicts[walk.place][walk.rubric.name] = walk.outcome
    return [*verdicts]


class _Walk:
    """How far the questions of a rubric are answered for one sample."""

    def __init__(self, place: int, rubric: Rubric) -> None:
        self.place, self.rubric = place, rubric
        self.answered: list[StepVerdict] = []
        self.end: ModelError | EmptyResponse | None = None
        self.has_ended = False

    @property
    def outcome(self) -> Judged:
        return self.end if self.has_ended else SteppedVerdicts(tuple(self.answered))

    def waiting(self) -> Sequence[Step]:
        """The questions that can be asked now."""
        steps = self.rubric.steps
        assert steps
        if self.has_ended:
            return ()
        if isinstance(steps, Checklist):
            return () if self.answered else steps.items
        if not self.answered:
            return (steps.node(steps.start),)
        last = self.answered[-1]
        assert isinstance(last.step, TreeNode)
        target = dict(last.step.targets)[last.label]
        return () if isinstance(target, float) else (steps.node(target),)

    def stop(self, reason: ModelError | EmptyResponse | None) -> None:
        """End without an answer."""
        self.end, self.has_ended = reason, True


def _walked(
    walks: Sequence[_Walk], samples: Sequence[Mapping[str, Any]], judge: Judge
) -> Sequence[_Walk]:
    """All walks to their ends; each round is asked together."""
    while True:
        asked: list[tuple[_Walk, Step, JudgeQuestion]] = []
        for walk in walks:
            for step in walk.waiting():
                question = question_of(step_rubric(walk.rubric, step), samples[walk.place])
                if not isinstance(question, JudgeQuestion):
                    walk.stop(question)
                    break
                asked.append((walk, step, replace(question, is_averaged=False)))
        if not asked:
            return walks
        answers = judge.judge([question for *_, question in asked])
        for (walk, step, _), answer in zip(asked, answers, strict=True):
            if isinstance(answer, Ruling):
                heard = quoted_verdicts(answer, samples[walk.place])
                walk.answered.append(StepVerdict(step, _commonest(answer, step.labels), heard))
            else:
                walk.stop(answer)


def _commonest(ruling: Ruling, labels: Sequence[str]) -> str:
    counts = Counter(verdict.answer for verdict in ruling.verdicts)
    return max(labels, key=lambda label: counts[label])


def step_rubric(rubric: Rubric, step: Step) -> Rubric:
    """The rubric that asks one question of several."""
    choices = tuple(RubricChoice(label, float(n)) for n, label in enumerate(step.labels))
    question = f"{rubric.question}\n\nAnswer this one question:\n{step.question}"
    return replace(rubric, question=question, answers=choices, steps=None)


def step_rubrics(rubric: Rubric) -> list[Rubric]:
    """The rubrics of all questions that may be asked; of a single question it is itself."""
    if rubric.steps is None:
        return [rubric]
    return [step_rubric(rubric, step) for step in steps_of(rubric.steps)]


def quoted_verdicts(ruling: Ruling, sample: Mapping[str, Any]) -> QuotedVerdicts:
    """The verdicts with the places of what they quote; words that stand nowhere are no evidence."""
    spans: dict[Span, None] = {}
    for quote in (verdict.quote.strip() for verdict in ruling.verdicts):
        for name in QUOTED:
            text = sample.get(name)
            start = text.find(quote) if len(quote) >= SHORTEST_QUOTE and text else -1
            if start >= 0:
                spans[Span(name, start, start + len(quote), "quoted by the judge")] = None
                break
    return QuotedVerdicts(ruling, tuple(spans))


def question_of(rubric: Rubric, sample: Mapping[str, Any]) -> JudgeQuestion | EmptyResponse | None:
    """What the judge is asked about a sample; nothing where a field is absent."""
    if any(_is_absent(sample.get(name)) for name in rubric.inputs):
        return None
    is_checked = rubric.degenerate != "ask" and "response" in rubric.inputs
    if is_checked and (reason := emptiness(sample["response"], sample.get("query"))):
        return EmptyResponse(reason)
    texts = [
        text
        for name in (*rubric.inputs, *rubric.optional)
        if not _is_absent(sample.get(name))
        for text in _texts(name, sample[name])
    ]
    answers = rubric.answers
    if isinstance(answers, Scale):
        form: Numbers | Labels = Numbers(answers.low, answers.high, answers.is_whole)
    else:
        form = Labels(tuple(choice.label for choice in answers))
    return JudgeQuestion(instructions(rubric), tuple(texts), form)


def instructions(rubric: Rubric) -> str:
    """A rubric as the judge reads it: the question, the answers and the examples."""
    answers = rubric.answers
    if isinstance(answers, Scale):
        known = [f"{number:g}: {meaning}" for number, meaning in answers.anchors]
        lead = f"The scale goes from {answers.low:g} to {answers.high:g}."
    else:
        known = [f'"{choice.label}": {choice.meaning}'.rstrip(": ") for choice in answers]
        lead = "The answers are these."
    parts = [f"You judge a text by one question.\n\n{rubric.question}", "\n".join([lead, *known])]
    for number, example in enumerate(rubric.examples, 1):
        lines = [f"Example {number}."]
        lines += [f"{_title(name)}: {text}" for name, text in example.fields]
        answer = example.answer
        label = f'"{answer}"' if isinstance(answer, str) else f"{answer:g}"
        lines.append(f"Right answer: {label}. {example.reason}".strip())
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _is_absent(value: Any) -> bool:
    return value is None or value == () or value == {}


def _texts(name: str, value: Any) -> list[UntrustedText]:
    """A field as one text or several, each with its title."""
    title = _title(name)
    if isinstance(value, str):
        return [UntrustedText(title, value)]
    if isinstance(value, tuple) and all(isinstance(part, str | Document) for part in value):
        parts = [part.content if isinstance(part, Document) else part for part in value]
        return [
            UntrustedText(f"{title}, number {place}", part) for place, part in enumerate(parts, 1)
        ]
    return [UntrustedText(title, dumps(value))]


def _title(name: str) -> str:
    return f"The {name.replace('_', ' ')}"
