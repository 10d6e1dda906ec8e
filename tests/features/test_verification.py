import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.backends import Backends
from assay.core import Document, ModelError
from assay.data.verifier import verifier_weights
from assay.features.chunks import context_chunks
from assay.features.claims import response_claims
from assay.features.normal import normal
from assay.features.support import claim_support
from assay.features.verification import documented_support

ID = "governance.groundedness"
BUDGET = (
    "The Ministry of Health spent ₹50 crore on vaccines in 2019-20. Alice Brown paid John Smith. "
    "The office is open on Sundays. Prices increased sharply last year."
)
MODES = pytest.mark.parametrize("embedder", ["", "fake"])
SENTENCES = [
    "The office is open on Sundays.",
    "The office is not open on Sundays.",
    "The Ministry spent ₹60 crore.",
    "Alice Brown paid John Smith.",
    "Prices fell in March 2019.",
    "عاصمة مصر هي القاهرة.",
    "Penguins swim.",
]
TEXTS = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(" ".join)


def ground(response, *contexts, embedder="", verifier=""):
    backends = Backends(embedder=embedder, verifier=verifier)
    return assay.score(response=response, contexts=list(contexts), metrics=[ID], backends=backends)[
        ID
    ]


def statuses(result):
    return [claim["status"] for claim in result.details["claims"]]


@MODES
@pytest.mark.parametrize(
    ("response", "status", "low", "high"),
    [
        ("The office is open on Sundays.", "verified", 1.0, 1.0),
        ("The Ministry of Health spent Rs. 500 million on vaccines.", "verified", 0.7, 1.0),
        ("The Ministry of Health spent ₹60 crore on vaccines.", "contradicted", 0.0, 0.4),
        ("The Ministry of Health spent ₹50 crore in 2021-22.", "contradicted", 0.0, 0.4),
        ("The office is not open on Sundays.", "contradicted", 0.0, 0.4),
        ("Prices decreased sharply last year.", "contradicted", 0.0, 0.4),
        ("John Smith paid Alice Brown.", "contradicted", 0.0, 0.4),
        ("Penguins swim near Antarctica.", "unsupported", 0.0, 0.2),
        ("The school opened 14 new classrooms.", "unsupported", 0.0, 0.2),
    ],
)
def test_plain_claims(embedder, response, status, low, high):
    found = ground(response, BUDGET, embedder=embedder)
    assert statuses(found) == [status]
    assert low <= found.value <= high


def test_counts_and_the_documents_name_are_said():
    found = ground(
        "The office is open on Sundays. The Ministry spent ₹60 crore on vaccines.",
        {"source": "budget.pdf", "content": BUDGET},
    )
    assert found.explanation == (
        "1 of 2 claims have no support in budget.pdf, 1 of them contradicted: "
        "“The Ministry spent ₹60 crore on vaccines” (₹60 crore instead of ₹50 crore)."
    )
    counts = ("total_claims", "verified_claims", "unsupported_claims", "contradicted_claims")
    assert [found.details[name] for name in counts] == [2, 1, 0, 1]
    assert found.details["verified_share"] == 0.5
    assert {(span.field, span.label) for span in found.evidence} == {
        ("response", "verified"),
        ("response", "contradicted"),
        ("contexts[0]", "supports"),
        ("contexts[0]", "says otherwise"),
    }


def test_a_claim_in_another_language_is_judged_by_the_cosine(monkeypatch):
    def embed(model, texts):
        import numpy as np

        return [np.array([1.0, 0.0], np.float32) for _ in texts]

    monkeypatch.setattr("assay.backends.fake.FakeModel.embed", embed)
    found = ground("عاصمة مصر هي القاهرة.", "The capital of Egypt is Cairo.", embedder="fake")
    assert found.value == 1.0
    assert statuses(found) == ["verified"]


def test_what_the_embedder_cannot_read_is_judged_by_words(monkeypatch):
    def embed(model, texts):
        return [ModelError("the model cannot read it") for _ in texts]

    monkeypatch.setattr("assay.backends.fake.FakeModel.embed", embed)
    for response in SENTENCES:
        assert ground(response, BUDGET, embedder="fake").value == ground(response, BUDGET).value


def test_a_configured_verifier_replaces_the_weights():
    found = ground("The office opens at noon.", BUDGET, verifier="fake")
    assert found.details["mode"] == "fake"
    assert found.value == pytest.approx(2 / 5)
    assert "verifier:fake" in found.signature
    number = ground("The Ministry of Health spent ₹60 crore on vaccines.", BUDGET, verifier="fake")
    assert statuses(number) == ["contradicted"]


def test_a_verifier_is_asked_each_pair_once_and_may_answer_nonsense(monkeypatch):
    asked = []

    def support(model, pairs):
        asked.extend(pairs)
        return [float("nan")] * len(pairs)

    monkeypatch.setattr("assay.backends.fake.FakeModel.support", support)
    found = ground("The office opens at noon. " * 3, BUDGET, verifier="fake")
    assert found.value == 0.0
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(
    ("cosine", "support"), [(0, 0), (0.45, 0.5), (0.6, 0.8), (0.75, 0.92), (1, 1)]
)
def test_the_documented_tiers(cosine, support):
    assert documented_support(cosine) == pytest.approx(support)


@pytest.mark.parametrize("kind", ["lexical", "semantic"])
def test_weights_have_the_signs_that_they_should(kind):
    weights = verifier_weights(kind).weights
    good = {"coverage", "words", "number_found", "cosine", "likeness"}
    assert all((weight > 0) is (name in good) for name, weight in weights.items())
    docs = (Document(BUDGET),)
    claims = response_claims(normal.feature("The office is open."), docs)
    (found,) = claim_support(claims, context_chunks(docs), "en")
    assert weights.keys() - {"cosine", "likeness"} == found.measures.keys()


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_contexts_does_not_matter(response, contexts, random):
    shuffled = random.sample(contexts, len(contexts))
    for embedder in ("", "fake"):
        one = ground(response, *contexts, embedder=embedder)
        other = ground(response, *shuffled, embedder=embedder)
        assert one.value == pytest.approx(other.value, abs=1e-9)
        assert statuses(one) == statuses(other)


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_a_copy_is_supported_whatever_else_is_there(response, contexts):
    for embedder in ("", "fake"):
        found = ground(response, *contexts, response, embedder=embedder)
        assert set(statuses(found)) == {"verified"}
        assert found.value == 1.0


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
def test_one_more_context_never_takes_a_word_for_word_match_away(response, contexts, more):
    one, other = ground(response, *contexts), ground(response, *contexts, more)
    for before, after in zip(one.details["claims"], other.details["claims"], strict=True):
        assert after["tier"] == "exact" or before["tier"] != "exact"
