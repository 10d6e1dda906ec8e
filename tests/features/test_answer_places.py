"""Where the statements of an expected answer stand."""

import pytest

from assay.core import Document
from assay.features import answer_places as module
from assay.features.answer_places import AnswerPlaces, answer_places
from assay.features.chunks import context_chunks
from assay.features.statements import judged, weighed
from assay.textproc.normal import normalise

CONTEXT = (
    "The library opens at nine on weekdays. Members borrow up to six books for three weeks. "
    "Lost books cost 20 euros. The reading room closes at noon on Saturdays."
)
OTHER = "The museum shop sells maps and cards. Tickets cost 12 euros for adults."
EXPECTED = (
    "Members borrow up to six books for three weeks. Lost books cost 25 euros. "
    "The library opens at nine on weekdays. The director plays the violin in the evening."
)


def places(*contexts: str) -> AnswerPlaces:
    """Where the expected answer stands in some contexts."""
    chunks = context_chunks.function(tuple(map(Document, contexts)))
    held: AnswerPlaces = answer_places.function(normalise(EXPECTED), chunks, "en")
    return held


def test_statements_are_placed_in_the_contexts_that_hold_them() -> None:
    held = places(OTHER, CONTEXT)
    assert held.contexts == (frozenset({1}), frozenset(), frozenset({1}), frozenset())
    assert held.together == (True, False, True, False)


def test_one_context_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(claims, *rest):  # type: ignore[no-untyped-def] # as the function that it stands for
        asked.append(len(claims))
        return judged(claims, *rest)

    monkeypatch.setattr(module, "judged", counted)
    held = places(CONTEXT)
    assert asked == [4]
    assert held.contexts == (frozenset({0}), frozenset(), frozenset({0}), frozenset())


def test_one_context_alone_is_judged_as_when_it_is_asked_again() -> None:
    alone = places(CONTEXT)
    chunks = context_chunks.function((Document(CONTEXT),))
    claims = [one.claim for one in alone.statements]
    held = [place for place, own in enumerate(alone.contexts) if own]
    again = judged(tuple(claims[place] for place in held), chunks.apart[0], "en")
    together = weighed([alone.statements[place] for place in held])
    assert [one.measures for one in again] == [one.measures for one in together]
    assert [one.probability for one in again] == [one.probability for one in together]
