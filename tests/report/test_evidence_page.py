"""The page of figures and its pictures."""

from xml.etree import ElementTree

from assay.data.experiments import experiments
from assay.data.measured_agreement import measured_sets
from assay.report.evidence_chart import ChartBlock, ChartMark, chart
from assay.report.evidence_page import FOLDER, PAGE, pages


def test_every_question_that_was_measured_has_a_picture_and_a_table():
    made = pages()
    page = made[PAGE]
    names = {one.title: name for name, one in experiments().items()}
    for one in measured_sets():
        assert f"## {one.question}" in page
        assert f"| `{one.set}`: {one.records:,} records" in page
        assert f"{FOLDER}/{names[one.question]}.svg" in made


def test_pictures_are_well_formed():
    for path, text in pages().items():
        if path.endswith(".svg"):
            ElementTree.fromstring(text)  # noqa: S314  our own pictures


def test_a_figure_stands_at_its_place_on_the_axis():
    marks = [
        ChartMark("ours", "a & b", 0.5, 0.5, 0.75),
        ChartMark("baseline", "c", 1.0, 0.9, 1.0),
    ]
    picture = chart(
        [ChartBlock("set", marks, "people agree")], "AUROC", 0.5, 1.0, 0.5, "Is it <so>?"
    )
    root = ElementTree.fromstring(picture)  # noqa: S314  our own picture
    dots = [float(dot.get("cx")) for dot in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert dots == [330.0, 670.0]
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Is it <so>?", "ours: a & b", "people agree", "0.50", "1.00"} <= set(texts)
