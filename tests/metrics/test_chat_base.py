"""The rules of the base group and the checks, without a model, and what their metrics add."""

import pytest

from assay import registry
from assay.backends import Backends
from assay.backends.fake import FakeModel
from assay.core import Sample
from assay.core.sample import Document
from assay.engine import make_plan, score_batch
from assay.runner.verify import Vector, verify

FAKES = Backends(embedder="fake", token_embedder="fake")
OWN = {"similarity_score": 0.83, "similarity_pair": "expected/response"}


def score(id, **fields):
    plan = make_plan(registry.select([id]), backends=FAKES)
    return score_batch(plan, [Sample(**fields)])[0][registry.select([id])[0].id]


@pytest.mark.parametrize(
    ("id", "given", "expected"),
    [
        ("chat.accuracy", {"similarity_score": 0.83}, 0.83),
        ("chat.accuracy", {"similarity_score": None}, None),
        ("chat.accuracy", {"similarity_score": -0.1}, 0.0),
        ("chat.top_k_accuracy", {"similarity": 0.8}, 1.0),
        ("chat.top_k_accuracy", {"similarity": 0.79}, 0.9875),
        ("chat.top_k_accuracy", {"similarity": 0.4}, 0.5),
        ("chat.top_k_accuracy", {"similarity": 0.0}, 0.0),
        ("chat.top_k_accuracy", {"similarity": None}, None),
        ("chat.top_k_accuracy", {"similarity": 0.0, "k_threshold": 0.0}, 1.0),
        ("chat.top_k_candidates", {"similarities": [0.1, 0.8]}, 1.0),
        ("chat.top_k_candidates", {"similarities": [0.1, 0.8], "k": 1}, 0.0),
        ("chat.top_k_candidates", {"similarities": [0.1], "min_similarity": 0.1}, 1.0),
        ("chat.top_k_candidates", {"similarities": []}, None),
        ("chat.hallucination_rate", {"detection_confidence": 0.35}, 35.0),
        ("chat.hallucination_rate", {"detection_confidence": 0.0}, 0.0),
        ("chat.hallucination_rate", {"detection_confidence": None}, None),
        ("chat.factual_consistency", {"similarity_score": 0.725}, 72.5),
        ("chat.truthfulness", {"similarity_score": 0.725}, 72.5),
        ("chat.source_grounding", {"relevance_similarity": 0.5}, 50.0),
        ("chat.source_grounding", {"relevance_similarity": None}, None),
        ("chat.citation_accuracy", {"pattern_weights": [0.5, 0.7], "n_citations": 4}, 91.0),
        ("chat.citation_accuracy", {"pattern_weights": [1.0, 0.5]}, 100.0),
        ("chat.citation_accuracy", {"pattern_weights": [], "n_citations": 0}, 0.0),
        ("chat.citation_accuracy", {"pattern_weights": None}, None),
        ("chat.citation_support", {"overlaps": [0.5, 0.4, None, 1.0]}, 0.5),
        ("chat.citation_support", {"overlaps": []}, None),
        ("chat.cot_validity", {"step_word_counts": [5, 200], "connector_ratio": 1.0}, 1.0 / 1.3),
        ("chat.cot_validity", {"step_word_counts": [4, 201]}, 0.3 / 1.3),
        ("chat.cot_validity", {"step_word_counts": [5], "has_conclusion": True}, 1.0),
        ("chat.cot_validity", {"step_word_counts": [5], "connector_ratio": 1.0}, 0.5),
        ("chat.cot_validity", {"step_word_counts": []}, None),
        (
            "chat.step_correctness",
            {"step_similarities": [0.5, 1.0], "overall_similarity": 0.9},
            0.795,
        ),
        ("chat.step_correctness", {"step_similarities": [], "overall_similarity": 0.6}, 0.6),
        ("chat.step_correctness", {"step_similarities": [1.0], "overall_similarity": None}, None),
        ("chat.logic_consistency", {"base_score": 1.0, "penalty": 0.3}, 0.7),
        ("chat.logic_consistency", {"base_score": 1.1, "penalty": 0.0}, 1.0),
        ("chat.logic_consistency", {"base_score": 1.0, "penalty": 1.5}, 0.0),
        ("chat.logic_consistency", {"base_score": None}, None),
        ("chat.semantic_similarity", {"embedding_a": [1, 1], "embedding_b": [1, 0]}, 0.5**0.5),
        ("chat.semantic_similarity", {"embedding_a": [1, 0], "embedding_b": [-1, 0]}, 0.0),
        ("chat.semantic_similarity", {"embedding_a": [0, 0], "embedding_b": [1, 0]}, 0.0),
        ("chat.semantic_similarity", {"embedding_a": None, "embedding_b": [1, 0]}, None),
        ("chat.consistency", {"embeddings": [[1, 0], [1, 0], [0, 1]]}, 1 / 3),
        ("chat.consistency", {"embeddings": [[1, 0], [-1, 0]]}, 0.0),
        ("chat.consistency", {"embeddings": [[1, 0]]}, None),
        ("chat.consistency", {"embeddings": None}, None),
    ],
)
def test_rule(id, given, expected):
    assert list(verify([Vector(id, given, {}, expected, 1e-9, "")])) == [None]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"query": "what", "response": "it is", "similarity": 0.55}, False),
        ({"query": "what", "response": "it is", "similarity": 0.7}, True),
        ({"query": "ما هو الطقس", "response": "it is", "similarity": 0.5}, True),
        ({"query": "what", "response": "الطقس", "similarity": 0.49}, False),
        ({"similarity": 0.65, "threshold": 0.6}, True),
        ({"similarity": None}, None),
    ],
)
def test_relevance_depends_on_the_script(given, expected):
    assert registry.rules()["chat.is_relevant"](**given) is expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"fact_similarities": {"one": 0.9, "two": 0.29}}, (True, ["two"])),
        ({"fact_similarities": {"one": 0.3}}, (False, [])),
        ({"fact_similarities": {"one": 0.3}, "threshold": 0.31}, (True, ["one"])),
        ({"fact_similarities": {}}, (False, [])),
        ({"fact_similarities": None}, (False, [])),
    ],
)
def test_facts_that_the_response_is_unlike(given, expected):
    found = registry.rules()["chat.hallucination_detected"](**given)
    assert (found["has_hallucination"], found["conflicting_facts"]) == expected


def test_languages_agree_from_the_threshold_on():
    rule = registry.rules()["chat.cross_language_consistency"]
    assert [rule(value) for value in (0.7, 0.69, None)] == [True, False, None]
    assert rule(0.6, threshold=0.6) is True


def test_the_four_proxies_are_one_number():
    fields = {"response": "hot tea", "expected": "green tea"}
    ids = ("accuracy", "factual_consistency", "truthfulness", "source_grounding")
    accuracy, *others = (score(f"chat.{id}", **fields).value for id in ids)
    assert others == [pytest.approx(100 * accuracy)] * 3
    for id in ids:
        metric = registry.metrics()[f"chat.{id}"]
        assert "proxy" in metric.tags
        assert "A similarity proxy" in metric.documentation


def test_an_embedders_own_threshold_counts_for_its_own_cosines_only():
    (tea,) = FakeModel().embed(["tea"])
    accuracy = registry.metrics()["chat.accuracy"]
    assert accuracy("q", "شاي", None, tea, tea, 0.85).threshold == 0.85
    assert accuracy("q", "شاي", 0.9, tea, tea, 0.85).threshold == 0.5
    assert accuracy("q", "tea", 0.9, tea, tea, 0.85).threshold == 0.7
    is_relevant = registry.metrics()["chat.is_relevant"]
    assert is_relevant("q", "tea", None, tea, tea, 0.85).details["threshold"] == 0.85
    assert is_relevant("q", "tea", 0.8, tea, tea, 0.85).details["threshold"] == 0.7
    assert is_relevant("q", "tea", None, tea, tea, 1.5, min_similarity=0.6).value == 1.0
    similar = registry.metrics()["chat.semantic_similarity"]
    assert similar("q", "tea", None, tea, tea, 0.85).threshold == 0.85


def test_a_result_carries_the_threshold_that_it_was_held_against():
    assert score("chat.accuracy", metadata=OWN).threshold == 0.7
    assert score("chat.accuracy", response="شاي", metadata=OWN).threshold == 0.5


@pytest.mark.parametrize(
    "alias", ["chat.normalized_similarity", "chat.normalized_similarity_score"]
)
def test_other_names_of_a_normalised_similarity(alias):
    assert score(alias, metadata={**OWN, "similarity_score": 0.4}).value == 0.5


def test_the_details_of_a_verdict():
    metadata = {"similarity_score": 0.6, "similarity_pair": "query/response"}
    found = score("chat.is_relevant", query="q", response="r", metadata=metadata)
    assert found.details == {"is_relevant": False, "similarity": 0.6, "threshold": 0.7}
    found = score("chat.hallucination_detected", response="tea", known_facts=("tea", " "))
    assert found.details["conflicting_facts"] == found.details["unsupported_facts"] == [" "]
    assert found.details["has_hallucination"] is True
    found = score("chat.cross_language_consistency", translations={"en": "tea", "ar": ""})
    assert found.details["is_consistent"] is False
    assert found.details["similarities"] == {"ar": 0.0}


def test_the_rank_of_the_first_candidate_that_matches():
    found = score("chat.top_k_candidates", expected="tea", candidates=("", "TEA", "tea"))
    assert found.details["rank"] == 2
    assert score("chat.top_k_candidates", expected="tea", candidates=("",)).details["rank"] is None


def test_the_quality_checks_are_the_details():
    found = score("chat.response_quality", response="ما هو الجواب الصحيح؟")
    assert found.details == {
        "has_minimum_length": True,
        "is_not_empty": True,
        "has_no_html_tags": True,
        "ends_properly": False,
    }
    found = score("chat.response_quality_unicode", response="ما هو الجواب الصحيح؟")
    assert all(found.details.values())


def test_a_citation_is_marked_with_what_became_of_it():
    contexts = (Document("Tea is hot."), Document("Milk is cold."))
    found = score("chat.citation_support", response="Tea is hot [1] [2] [3].", contexts=contexts)
    assert found.value == pytest.approx(1 / 3)
    labels = [span.label for span in found.evidence]
    assert labels == ["supported", "unsupported", "no such context"]


def test_what_the_response_holds_beyond_the_facts_is_marked():
    response = "tea zebra"
    found = score("chat.hallucination_rate", response=response, known_facts=("tea", "milk"))
    assert 0 < found.value < 100
    assert found.value == pytest.approx(100 * (1 - found.details["best_f1"]))
    assert [response[s.start : s.end] for s in found.evidence] == ["zebra"]


def test_logic_shows_how_its_score_came_about():
    found = score("chat.logic_consistency", response="- apples grow\n- it is both b and not b")
    assert found.details == {
        "base_score": 1.0,
        "penalty": pytest.approx(0.5),
        "flow": 0.0,
        "terms_used_once": False,
    }


ARABIC = {"query": "ما هو مصدر الحرارة؟", "response": "حرق الفحم"}


@pytest.mark.parametrize("id", ["chat.semantic_similarity", "text.relevance"])
def test_similarities_of_an_arabic_query_and_answer_have_no_verdict(id):
    result = score(id, **ARABIC)
    assert (result.value, result.state) == (0.0, "ok")
    assert (result.threshold, result.passed) == (None, None)
    english = score(id, query="What is the source of heat?", response="Burning coal")
    assert english.passed is False


def test_an_arabic_similarity_that_is_given_has_the_documented_threshold():
    metadata = {"similarity_score": 0.4, "similarity_pair": "query/response"}
    result = score("chat.semantic_similarity", **ARABIC, metadata=metadata)
    assert (result.threshold, result.passed) == (0.5, False)
