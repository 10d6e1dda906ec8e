import pytest

from assay.features.cited_files import MAX_CITED, cited_files
from assay.features.document_names import document_key
from assay.features.normal import normal


def cited(text, *sources):
    keys = {document_key(source) for source in sources}
    return [(file.name, file.is_known) for file in cited_files(normal.feature(text), keys)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Source: budget.pdf]", [("budget.pdf", True)]),
        ("(source: BUDGET)", [("budget", True)]),
        ("[Source: budget.pdf, Page 3]", [("budget.pdf", True)]),
        ("[Source: budget.pdf p. 3]", [("budget.pdf", True)]),
        ("[Source: budget.pdf, 2022, section 4]", [("budget.pdf", True)]),
        ("[Source: 'budget.pdf'; ghost.pdf]", [("budget.pdf", True), ("ghost.pdf", False)]),
        ("[Source: budget.pdf, ghost.pdf]", [("budget.pdf", True), ("ghost.pdf", False)]),
        ("[Source: docs/budget.pdf]", [("docs/budget.pdf", True)]),
        ("[Source: annual report 2022]", [("annual report 2022", True)]),
        ("according to budget.pdf it rose", [("budget.pdf", True)]),
        ("as per the annual report 2022.pdf it rose", [("annual report 2022.pdf", True)]),
        ("as per the ghost report.pdf it rose", [("report.pdf", False)]),
        ("according to the budget it rose", []),
        ("[1] (budget.pdf) budget.pdf", []),
        ("[Source: ]", []),
        ("[Source: , page 3]", []),
        ("", []),
    ],
)
def test_what_is_cited(text, expected):
    assert cited(text, "Budget.pdf", "reports/annual_report_2022.pdf") == expected


def test_evidence_is_the_citation_as_it_stands():
    text = "It rose\u200b. [Source: ghost.pdf]"
    (file,) = cited_files(normal.feature(text), ())
    assert text[file.span.start : file.span.end] == "[Source: ghost.pdf]"


def test_many_citations_stay_cheap():
    assert len(cited("[Source: a.pdf; b.pdf] " * 2000)) == MAX_CITED
