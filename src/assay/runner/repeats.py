"""Has each of several answers to a question scored as a sample of its own.

Its id is that of the question with `#1`, `#2`, …; its metadata name the question (`repeat_of`). A
system is asked once for every one of them, so nothing of one answer is used for another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from assay.core import Sample
from assay.core.jsontext import dumps
from assay.core.plain import sample_json
from assay.core.sample import REPEAT_OF
from assay.runner.stream import Item

MAX_KNOWN = 1_000_000
"""Questions of a file that are told apart; records beyond are questions of their own."""
_QUESTION_FIELDS = (
    *("query", "expected", "contexts", "gold_context"),
    *("checks", "expected_json", "schema"),
)
"""What makes two records the same question; where they name one, that alone counts."""


def asked_each(items: Iterable[Item], times: int) -> Iterator[Item]:
    """Every question so many times, each a question of its own."""
    for item in items:
        if isinstance(item, Sample):
            yield from (_repeat(item, number) for number in range(1, times + 1))
        else:
            yield item


def answered_each(items: Iterable[Item]) -> Iterator[Item]:
    """Every one of a record's `responses` as a sample, and records that ask the same as repeats."""
    known: dict[int, str] = {}
    for item in items:
        if not isinstance(item, Sample) or item.metadata.get(REPEAT_OF):
            yield item
        elif item.responses:
            for number, response in enumerate(item.responses, 1):
                yield replace(_repeat(item, number), response=response)
        else:
            yield _same_question(item, known)


def _repeat(question: Sample, number: int) -> Sample:
    metadata: Mapping[str, Any] = {**question.metadata, REPEAT_OF: question.id, "repeat": number}
    return replace(question, id=f"{question.id}#{number}", metadata=metadata)


def _same_question(sample: Sample, known: dict[int, str]) -> Sample:
    """The sample with the name of the first record that asks the same."""
    if sample.query is None:
        return sample
    fields = sample_json(sample)
    turns = [turn.get("content") for turn in sample.conversation if turn.get("role") == "user"]
    text = dumps([*(fields.get(name) for name in _QUESTION_FIELDS), turns])
    key = int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    if key not in known and len(known) < MAX_KNOWN:
        known[key] = sample.id
    first = known.get(key, sample.id)
    return replace(sample, metadata={**sample.metadata, REPEAT_OF: first})
