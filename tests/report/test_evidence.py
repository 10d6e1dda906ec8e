from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import Document, Result, Sample, Scores, Span
from assay.report.evidence import Mark, marks_of, quoted, segments, snippets, text_of

SAMPLE = Sample(
    query="Who?",
    response="It is Anna,\nshe said.",
    contexts=(Document("first"), Document("second")),
    previous_responses=("older",),
    translations={"ar": "مرحبا", "pt-BR": "Oi"},
    duration=2.0,
)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("query", "Who?"),
        ("contexts[1]", "second"),
        ("previous_responses[0]", "older"),
        ("translations[pt-BR]", "Oi"),
        ("expected", None),
        ("contexts[2]", None),
        ("contexts[-1]", None),
        ("contexts", None),
        ("duration", None),
        ("duration[0]", None),
        ("weight", None),
        ("__class__", None),
        ("no such field", None),
        ("", None),
    ],
)
def test_text_of(field: str, text: str | None) -> None:
    assert text_of(SAMPLE, field) == text


def test_quoted_is_one_line_or_the_label() -> None:
    assert quoted(SAMPLE, Span("response", 6, 15, "x")) == "Anna, she"
    assert quoted(SAMPLE, Span("metadata", 0, 3, "a label")) == "a label"
    assert quoted(SAMPLE, Span("response", 900, 910, "gone")) == "gone"


def test_snippets_are_distinct_and_few() -> None:
    spans = [Span("response", 0, 2), Span("response", 0, 2), Span("response", 3, 5)]
    assert snippets(SAMPLE, spans) == ["It", "is"]
    assert snippets(SAMPLE, spans, most=1) == ["It"]


def test_marks_of_keeps_the_field_and_names_the_metric() -> None:
    results = {
        "a.x": Result(1.0, evidence=(Span("response", 0, 2, "l"), Span("query", 0, 1))),
        "a.y": Result(1.0, evidence=(Span("response", 1, 3),)),
    }
    marks = marks_of(Scores("s", results), "response")
    assert marks == [Mark(0, 2, "a.x", "l"), Mark(1, 3, "a.y")]


@pytest.mark.parametrize(
    ("why", "marks", "cut"),
    [
        ("none", [], [("abcdef", "")]),
        ("plain", [(1, 3, "x")], [("a", ""), ("bc", "x"), ("def", "")]),
        ("touching", [(0, 3, "x"), (3, 6, "y")], [("abc", "x"), ("def", "y")]),
        (
            "overlapping",
            [(0, 4, "x"), (2, 6, "y")],
            [("ab", "x"), ("cd", "xy"), ("ef", "y")],
        ),
        (
            "nested, the narrowest first",
            [(0, 6, "x"), (2, 4, "y")],
            [("ab", "x"), ("cd", "yx"), ("ef", "x")],
        ),
        ("the same twice", [(2, 4, "x"), (2, 4, "y")], [("ab", ""), ("cd", "xy"), ("ef", "")]),
        ("too far", [(-5, 2, "x"), (4, 99, "y")], [("ab", "x"), ("cd", ""), ("ef", "y")]),
        ("empty, reversed or outside", [(2, 2, "x"), (4, 1, "y"), (9, 12, "z")], [("abcdef", "")]),
    ],
)
def test_segments(why: str, marks: list[tuple[int, int, str]], cut: list[tuple[str, str]]) -> None:
    made = segments("abcdef", [Mark(*mark) for mark in marks])
    found = [(s.text, "".join(m.metric for m in s.marks)) for s in made]
    assert found == cut, why


def test_an_empty_text_has_no_segments() -> None:
    assert list(segments("", [Mark(0, 3, "x")])) == []


PLACES = st.integers(-3, 15)


@given(st.text(max_size=12), st.lists(st.builds(Mark, PLACES, PLACES, st.sampled_from("xyz"))))
def test_each_character_stands_once_under_exactly_its_marks(text: str, marks: list[Mark]) -> None:
    place = 0
    for segment in segments(text, marks):
        for char in segment.text:
            assert char == text[place]
            assert sorted(segment.marks) == sorted(m for m in marks if m.start <= place < m.end)
            place += 1
    assert place == len(text)
