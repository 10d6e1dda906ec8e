"""Cases that we wrote by hand: short everyday texts with claims and answers, right and wrong.

The files lie in `written/`: `support.jsonl` (a context with claims that follow, are open, or are
contradicted), `correctness.jsonl` (a question and a reference with right and wrong answers),
`relevance.jsonl` (a question with answers that address it and others that do not), and
`texts.jsonl` (one text a line with the head that reads it).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from training.encoder.editor import CONTRADICTED, ENTAILED, OPEN

FOLDER = Path(__file__).parent / "written"
CLAIMS = {"entailed": ENTAILED, "open": OPEN, "contradicted": CONTRADICTED}
ANSWERS = {"right": 1, "wrong": 0}
REPLIES = {"addresses": 1, "misses": 0}


class Written(NamedTuple):
    """A text, what it is read beside, and what a head should say of it."""

    head: str
    text: str
    context: str
    query: str
    expected: str
    label: int | str
    group: str
    """Cases about one context or question stand in one group."""


@cache
def written(head: str) -> tuple[Written, ...]:
    """The cases of one head."""
    return tuple(CASES[head](head) if head in CASES else _texts(head))


def _support(head: str) -> Iterator[Written]:
    for record in _read(head):
        context = record["context"]
        for kind, label in CLAIMS.items():
            for text in record[kind]:
                yield Written(head, text, context, "", "", label, context)


def _correctness(head: str) -> Iterator[Written]:
    for record in _read(head):
        query, expected = record["query"], record["expected"]
        for kind, label in ANSWERS.items():
            for text in record[kind]:
                yield Written(head, text, "", query, expected, label, query)


def _relevance(head: str) -> Iterator[Written]:
    for record in _read(head):
        query = record["query"]
        for kind, label in REPLIES.items():
            for text in record[kind]:
                yield Written(head, text, "", query, "", label, query)


def _texts(head: str) -> Iterator[Written]:
    for record in _read("texts"):
        if record["head"] == head:
            text, query = record["text"], record.get("query", "")
            yield Written(head, text, "", query, "", record["label"], text)


CASES = {"support": _support, "correctness": _correctness, "relevance": _relevance}


def _read(name: str) -> list[dict[str, Any]]:
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
