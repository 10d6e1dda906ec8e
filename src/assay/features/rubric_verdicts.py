"""What a judge says about a sample, by the rubrics of a run.

Each rubric shows the judge the fields that it declares, and nothing else of the sample. All
questions of a batch are asked together. A response that says nothing is not shown to the judge
(`degenerate.py`), unless the rubric wants it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from assay.backends import Judge
from assay.backends.choice import is_configured
from assay.backends.judge_questions import JudgeQuestion, Labels, Numbers, Ruling, UntrustedText
from assay.core import Document, ModelError, Span, feature
from assay.core.jsontext import dumps
from assay.data.rubrics import SHOWN_FIELDS, Rubric, Scale
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


Judged = QuotedVerdicts | ModelError | EmptyResponse | None
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
            question = question_of(rubric, sample)
            if isinstance(question, JudgeQuestion):
                questions.append((place, rubric.name, question))
            else:
                verdicts[place][rubric.name] = question
    answers = judge.judge([question for _, _, question in questions])
    for (place, name, _), answer in zip(questions, answers, strict=True):
        heard = quoted_verdicts(answer, samples[place]) if isinstance(answer, Ruling) else answer
        verdicts[place][name] = heard
    return [*verdicts]


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
