"""Statements that are copied from a context."""

from __future__ import annotations

from tests.work import counted

from assay.core import Document
from assay.features.chunks import context_chunks
from assay.features.claims import statements
from assay.features.statements import Statement, judged
from assay.textproc.normal import normalise

COPIED = "The town library lends skis and tents to its members."
OTHERS = (
    "The swimming pool has a slide for children. Tickets are sold at the gate, not online.",
    "The museum shows paintings by Anna Brandt. Its roof was mended in 2019.",
)


def _judged(response: str, *contexts: str) -> Statement:
    chunks = context_chunks.function(tuple(Document(content) for content in contexts))
    (statement,) = judged(statements(normalise(response)), chunks, "en")
    return statement


def test_a_copied_sentence_is_supported_with_less_work() -> None:
    assert _judged(COPIED, COPIED, *OTHERS).by_rules > 0.9
    longer = COPIED.replace("lends", "gladly lends")
    copied = counted(lambda: _judged(COPIED, COPIED, *OTHERS))
    assert copied < 0.9 * counted(lambda: _judged(longer, COPIED, *OTHERS))


def test_a_copied_sentence_is_compared_with_one_that_denies_it() -> None:
    denied = "The town library does not lend skis and tents."
    assert _judged(COPIED, COPIED, denied).differences
