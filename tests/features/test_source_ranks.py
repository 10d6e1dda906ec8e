"""Expected sources are matched by name or by text, never by likeness."""

import pytest

from assay.core import Document
from assay.features.source_ranks import source_ranks

PASSAGE = "Employees may carry over up to five vacation days to the next calendar year"


def ranking(source, *contexts):
    return [bool(own) for own in source_ranks.function((source,), contexts).ranking]


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("Budget 2023", Document("x", source="docs/Budget_2023.pdf")),
        ("docs/budget_2023.pdf", Document("x", source="BUDGET_2023.PDF")),
        ("doc-7", Document("x", id="DOC-7")),
        ("https://example.org/a/tax.html", Document("x", source="tax")),
        ("تقرير", Document("x", source="تقرير.pdf")),
    ],
)
def test_names_are_equal_but_for_folder_case_and_ending(name, document):
    assert ranking(name, document) == [True]


@pytest.mark.parametrize(
    ("source", "content"),
    [
        ("budget", "The budget of the city grew."),
        (
            PASSAGE,
            PASSAGE.replace("five", "seven").replace("vacation", "sick").replace("next", "same"),
        ),
        (f"{PASSAGE} of 2023", f"{PASSAGE} of 2024"),
        (
            "annual report",
            "The annual report of the city was published in the spring of that year.",
        ),
    ],
)
def test_another_text_is_another_source(source, content):
    assert ranking(source, Document(content)) == [False]


@pytest.mark.parametrize(
    "content",
    [
        PASSAGE.upper() + ".",
        f"Rules. {PASSAGE}. More.",
        PASSAGE.rsplit(" ", 3)[0],
        f"{PASSAGE}s also",
    ],
)
def test_a_passage_is_found_by_its_text(content):
    assert ranking(PASSAGE, Document("Something else entirely."), Document(content)) == [
        False,
        True,
    ]


def test_a_source_named_twice_counts_once():
    found = source_ranks.function(("a.pdf", "A.pdf", " "), (Document("x", source="a.pdf"),))
    assert found.sources == ("a.pdf",)
    assert found.ranking == (frozenset((0,)),)


def test_without_expected_sources_there_is_nothing():
    assert source_ranks.function((), (Document("x"),)) is None
