"""From a question to the turns that are asked, and from answers to the sample that is scored."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from assay.core import Document, Sample, SampleError
from assay.core.sample import TARGET_RETRIES
from assay.store.answers import StoredAnswer
from assay.targets.protocol import Answer, Turn

MAX_DEPTH = 50
"""Levels of what a target gives along with its answer; deeper parts are kept as text."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is put to a system: its instructions first, then what the user says, one by one."""

    system: tuple[Turn, ...]
    user: tuple[Turn, ...]
    tells_contexts: bool = False
    """Whether the contexts of the record are in it; then no answer brings others."""


def question_of(sample: Sample) -> Question:
    """The turns to ask; raises `SampleError` where there is nothing to ask.

    Of a conversation every turn of the user is asked in order, with the target's own replies
    between them: given replies are not sent.
    """
    if not sample.conversation:
        if sample.query is None:
            raise SampleError("nothing to ask: the record has no 'query' and no 'conversation'")
        return Question((), (Turn("user", sample.query),))
    turns = [(turn["role"], str(turn["content"])) for turn in sample.conversation]
    system = tuple(Turn("system", text) for role, text in turns if role in ("system", "developer"))
    user = tuple(Turn("user", text) for role, text in turns if role == "user")
    if not user:
        raise SampleError("nothing to ask: the 'conversation' has no turn of the role 'user'")
    return Question(system, user)


def answered(
    sample: Sample,
    repeats: Sequence[Sequence[Mapping[str, Any]]],
    lost: int = 0,
    retries: int = 0,
) -> Sample:
    """The question with what a system said; each repeat has one answer for every turn asked.

    The last answer of the first repeat is the response; those of all repeats are the `responses`.
    What was measured goes to the sample's own fields and metadata, and so does how many repeats
    were `lost` because they were not answered, and how many calls were `retries`. All else that the
    system says goes to `metadata.target`, so that no answer can change what is expected of it;
    where the question has a field of that name, its own stays. What a record tells of an earlier
    answer is left out; contexts stay where the system gives none.
    """
    first = repeats[0]
    last = first[-1]
    contexts = tuple(Document(**entry) for entry in last.get("contexts", ()))
    tool_calls = last.get("tool_calls")
    known = {name: value for name, value in sample.metadata.items() if name not in _COUNTED}
    measured = {name: last[name] for name in _MEASURED if last.get(name) is not None}
    if lost:
        measured["unanswered_repeats"] = lost
    if retries:
        measured[TARGET_RETRIES] = retries
    texts = tuple(str(answers[-1]["text"]) for answers in repeats)
    return replace(
        sample,
        **_UNANSWERED,
        response=texts[0],
        responses=texts if len(texts) > 1 else (),
        contexts=contexts or sample.contexts,
        tool_calls=None if tool_calls is None else tuple(tool_calls),
        duration=last.get("duration"),
        first_token_time=last.get("first_token_time"),
        response_tokens=last.get("completion_tokens"),
        conversation=_conversation(sample, first),
        metadata={**_extras(last), **known, **measured},
    )


def with_possible_fields(question: Sample, fields: Collection[str]) -> Sample:
    """The question with the fields that it may have once it is answered.

    `fields` are those that the system may fill beside the response; their values mean nothing.
    """
    answer: dict[str, Any] = {"text": _ANY}
    if "contexts" in fields:
        answer["contexts"] = [{"content": _ANY}]
    if "tool_calls" in fields:
        answer["tool_calls"] = [{"name": _ANY}]
    single = replace(question, conversation=())  # its replies are not known
    return replace(answered(single, [[answer]]), conversation=question.conversation)


_ANY = "…"
"""Stands for what a system will say."""


def answered_sample(question: Sample, answers: Sequence[StoredAnswer]) -> Sample | SampleError:
    """The question with its answers; an error where there is none."""
    good = [answer for answer in answers if answer.is_ok]
    if not good:
        first = answers[0]
        return SampleError(f"question {question.id!r}: no answer ({first.fault}): {first.error}")
    return answered(
        question,
        [answer.answer for answer in good],
        lost=len(answers) - len(good),
        retries=sum(answer.retries for answer in good),
    )


EXTRAS = "target"
"""Where the metadata of a sample keep what a target says beside its answer."""
_MEASURED = ("model", "finish_reason", "prompt_tokens", "completion_tokens")
"""Parts of an answer that samples keep in their metadata."""
_COUNTED = ("finish_reason", "prompt_tokens", "completion_tokens", TARGET_RETRIES)
"""Those that say nothing about another answer; a model may be named for a system that does not."""
_UNANSWERED: dict[str, Any] = {
    name: getattr(Sample(), name)
    for name in (
        *("candidates", "translations", "response_json", "task_completed", "steps_taken", "steps"),
        *("errors_encountered", "tools_used", "tools_succeeded"),
    )
}
"""Fields that describe an answer which is not the system's."""


def _extras(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What a target says beside its answer, under a name of its own."""
    extras = answer.get("metadata")
    return {EXTRAS: extras} if extras else {}


def _conversation(
    sample: Sample, answers: Sequence[Mapping[str, Any]]
) -> tuple[Mapping[str, Any], ...]:
    if not sample.conversation:
        return ()
    question = question_of(sample)
    turns: list[Mapping[str, Any]] = [
        {"role": turn.role, "content": turn.content} for turn in question.system
    ]
    for turn, answer in zip(question.user, answers, strict=True):
        reply = {"role": "assistant", "content": answer["text"]}
        if answer.get("duration") is not None:
            reply["duration"] = answer["duration"]
        turns += [{"role": "user", "content": turn.content}, reply]
    return tuple(turns)


def answer_json(answer: Answer) -> dict[str, Any]:
    """The answer as plain data that a store can hold; parts that say nothing are left out."""
    fields_given = {part.name: plain(getattr(answer, part.name)) for part in fields(answer)}
    fields_given["contexts"] = [
        {part.name: plain(getattr(document, part.name)) for part in fields(document)}
        for document in answer.contexts
    ]
    empty: tuple[Any, ...] = (None, [], {})
    kept = ("text", "tool_calls")  # no calls, and none told of, are two things
    return {
        name: value
        for name, value in fields_given.items()
        if value not in empty or (name in kept and value is not None)
    }


def plain(value: Any, depth: int = 0) -> Any:
    """The value as JSON can hold it; what it cannot becomes text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # of a class of its own too
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        return {str(key): plain(part, depth + 1) for key, part in value.items()}
    if depth < MAX_DEPTH and isinstance(value, list | tuple):
        return [plain(part, depth + 1) for part in value]
    return str(value)[:10_000]
