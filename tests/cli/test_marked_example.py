import pytest

from assay import registry
from assay.cli.marked_example import marked_example


@pytest.mark.parametrize(
    ("id", "marked", "verdict"),
    [
        ("answer.correctness", "is <mark>Lyon</mark>.", ", fails.** The response says 'Lyon'"),
        ("rag.faithfulness", "takes <mark>two and a half hours</mark>.", ", fails.**"),
        ("safety.pii", "<mark>(212) 555-0188</mark>", ", fails.** Likely personal data"),
    ],
)
def test_the_example_marks_what_caused_the_score(id, marked, verdict):
    example = marked_example(registry.metrics()[id])
    assert marked in example
    assert verdict in example


def test_contexts_are_counted_from_one():
    assert "\n| context 1 | " in marked_example(registry.metrics()["rag.faithfulness"])


def test_texts_of_cases_are_no_markup():
    for metric in registry.metrics().values():
        example = marked_example(metric).replace("<mark>", "").replace("</mark>", "")
        assert "<" not in example.replace("&lt;", ""), metric.id


def test_a_metric_without_evidence_has_no_example():
    assert marked_example(registry.metrics()["text.overall"]) == ""
