"""The arithmetic of the retrieval metrics, without and with a model."""

import pytest

from assay import registry
from assay.backends import Backends
from assay.core import Document, Sample
from assay.engine import make_plan, score_batch

FAKES = Backends(embedder="fake")
NONE = Backends(embedder="")
GROUP = registry.select(["chat.rag"])


def score(id, backends=FAKES, **fields):
    (scores,) = score_batch(make_plan(registry.select([id]), backends=backends), [Sample(**fields)])
    return scores[id]


def ask(id, **variables):
    return registry.rules()[id](**variables)


@pytest.mark.parametrize(
    ("id", "variables", "expected"),
    [
        ("chat.retrieval_recall_5", {"found_sources": 3, "n_expected_sources": 4}, 75.0),
        ("chat.retrieval_recall_5", {"found_sources": 0, "n_expected_sources": 2}, 0.0),
        ("chat.retrieval_recall_5", {"found_sources": 0, "n_expected_sources": 0}, None),
        ("chat.retrieval_recall_5", {"found_sources": None, "n_expected_sources": 2}, None),
        ("chat.retrieval_precision_5", {"doc_similarities": [0.9] * 3 + [0.1] * 2 + [0.9]}, 60.0),
        ("chat.retrieval_precision_5", {"doc_similarities": [0.5]}, 100.0),
        ("chat.retrieval_precision_5", {"doc_similarities": []}, None),
        ("chat.retrieval_precision_5", {"doc_similarities": None}, None),
        ("chat.retrieval_precision_5",
         {"doc_similarities": [0.5, 0.7], "relevance_threshold": 0.6}, 50.0),
        ("chat.context_relevance", {"doc_response_similarities": [0.2, 0.4, 0.9]}, 50.0),
        ("chat.context_relevance", {"doc_response_similarities": []}, None),
        ("chat.context_coverage", {"doc_response_similarities": [0.4, 0.39, 0.8, 0.1]}, 50.0),
        ("chat.context_coverage", {"doc_response_similarities": [0.1, 0.2]}, 0.0),
        ("chat.context_coverage", {"doc_response_similarities": None}, None),
        ("chat.context_coverage",
         {"doc_response_similarities": [0.4, 0.5], "usage_threshold": 0.5}, 50.0),
        ("chat.gold_context_match", {"similarity": 0.66}, 66.0),
        ("chat.gold_context_match", {"similarity": None}, None),
        ("chat.gold_context_match", {"similarity": -0.2}, 0.0),
        ("chat.reranker_score", {"query_doc_similarities": [0.5, 0.7, 0.9]}, 0.7),
        ("chat.reranker_score", {"query_doc_similarities": []}, None),
        ("chat.context_intrusion", {"overlap_ratio": None}, None),
        ("chat.context_intrusion", {"overlap_ratio": 0.0}, 0.0),
        ("chat.context_intrusion", {"overlap_ratio": 0.15}, 0.0),
        ("chat.context_intrusion", {"overlap_ratio": 0.1875}, 5.0),
        ("chat.context_intrusion", {"overlap_ratio": 0.3}, 20.0),
        ("chat.context_intrusion", {"overlap_ratio": 0.4}, 40.0),
        ("chat.context_intrusion", {"overlap_ratio": 0.5}, 60.0),
        ("chat.context_intrusion", {"overlap_ratio": 0.7}, 90.0),
        ("chat.context_intrusion", {"overlap_ratio": 0.85}, 95.0),
        ("chat.context_intrusion", {"overlap_ratio": 1.0}, 100.0),
        ("chat.context_intrusion", {"overlap_ratio": 1.2}, 100.0),
    ],
)  # fmt: skip
def test_rules(id, variables, expected):
    assert ask(id, **variables) == (None if expected is None else pytest.approx(expected))


def test_recall_of_sources_needs_no_model():
    contexts = (Document("x", id="a"),)
    result = score("chat.retrieval_recall_5", NONE, expected_sources=("a",), contexts=contexts)
    assert (result.value, result.state) == (100.0, "ok")
    result = score("chat.retrieval_recall_5", NONE, expected_sources=("b",), contexts=contexts)
    assert (result.value, result.state) == (0.0, "ok")


@pytest.mark.parametrize(
    "id", ["chat.retrieval_precision_5", "chat.context_relevance", "chat.reranker_score"]
)
def test_similarities_are_kept_in_the_details(id):
    result = score(
        id, query="green tea", response="green tea", contexts=(Document("green tea"), Document(""))
    )
    assert result.details["similarities"] == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize(
    ("response", "band"),
    [
        ("alpha beta gamma delta", "0% to 15%"),
        ("alpha beta gamma tea", "15% to 30%"),
        ("alpha beta tea pot", "30% to 50%"),
        ("alpha tea pot", "50% to 70%"),
        ("tea pot", "70% to 100%"),
    ],
)
def test_intrusion_tells_overlap_and_band(response, band):
    result = score("chat.context_intrusion", response=response, contexts=(Document("tea pot"),))
    assert result.details["band"] == band
    words = response.split()
    ratio = sum(word in ("tea", "pot") for word in words) / len(words)
    assert result.details["overlap_ratio"] == ratio


def test_the_longest_stretches_are_shown():
    response = ". x1x ".join(["tea"] * 130) + ". The tea pot of the tea house."
    contexts = (Document("The tea pot of the tea house"),)
    result = score("chat.context_intrusion", response=response, contexts=contexts)
    shown = [response[span.start : span.end] for span in result.evidence]
    assert len(shown) == 100
    assert "; 100 of 130 places are marked." in result.explanation
    assert shown[-1] == "tea. The tea pot of the tea house"


@pytest.mark.parametrize(
    "text",
    ["", " ", "\ud800", "\u0301", "tea " * 2_000, "،؟", "x" * 100_000, "<|{0}%s", "ﷺ" * 999],
)
def test_hostile_texts_do_no_harm(text):
    documents = (Document(text, id=text, source=text), Document("tea"), *[Document(text)] * 50)
    sample = Sample(
        query=text,
        response=text,
        gold_context=text,
        expected_sources=(text, "tea", "other"),
        contexts=documents,
    )
    (scores,) = score_batch(make_plan(GROUP, backends=FAKES), [sample])
    for result in scores.results.values():
        assert result.state == "ok", result.explanation
        assert result.explanation.isprintable()


def test_a_batch_gives_what_each_sample_gives_alone():
    samples = [
        Sample("1", "tea", "tea", contexts=(Document("tea"),), expected_sources=("tea", "wine")),
        Sample("2", "tea", "tea"),
        Sample("3", "wine", "red", contexts=(Document("wine"), Document("red"))),
        Sample("4", expected_sources=("a",), contexts=(Document("b"),) * 7, response="b"),
    ]
    plan = make_plan(GROUP, backends=FAKES)
    assert score_batch(plan, samples) == [score_batch(plan, [sample])[0] for sample in samples]
