import numpy as np
import pytest

from assay.backends import Backends, TokenVectors
from assay.core import Sample
from assay.engine import make_plan, score_batch
from assay.features import bertscore as module
from assay.features.bertscore import BertScore, bertscore, clamped, greedy_match, rescaled
from assay.features.normal import normal
from assay.registry import select


class Model:
    """Words along fixed axes; says what it was asked."""

    name = "axes"

    def __init__(self, languages=()):
        self.languages = languages
        self.asked = []

    def embed_tokens(self, texts):
        self.asked.extend(texts)
        return [self._tokens(text.split()) for text in texts]

    def _tokens(self, words):
        axes = np.eye(8, dtype=np.float32)
        vectors = [axes[len(word) % 8] for word in words]
        return TokenVectors(words, np.array(vectors).reshape(-1, 8))


def score(*pairs, languages=(), codes=("en", "en")):
    model = Model(languages)
    texts = [[normal.feature(text) for text in column] for column in zip(*pairs, strict=True)]
    found = bertscore(*texts, *([code] * len(pairs) for code in codes), model)
    return found, model


def test_precision_is_of_the_response_and_recall_of_what_was_expected():
    ((found,), _) = score(("a bb", "a bb ccc dddd"))
    assert (found.precision, found.recall) == (1.0, 0.5)
    assert found.f1 == pytest.approx(2 / 3)
    assert found.model == "axes"


def test_all_texts_are_asked_at_once():
    found, model = score(("a", "bb"), ("a", "a"), ("", "a"))
    assert model.asked == ["a", "bb", "a", "a", "", "a"]
    assert [one.f1 for one in found] == [0.0, 1.0, 0.0]


def test_unmatched_tokens_are_marked_in_the_text_as_given():
    ((found,), _) = score(("a b\u200bb ##ccc dddd", "a dddd"))
    text = "a b\u200bb ##ccc dddd"
    assert [text[start:end] for start, end in found.unmatched] == ["b\u200bb", "ccc"]


def test_no_words_were_expected():
    ((found,), _) = score(("a", " "))
    assert found.reason == "The expected answer has no words."


@pytest.mark.parametrize("codes", [("ar", "en"), ("en", "ar")])
def test_a_model_is_not_asked_about_scripts_that_it_does_not_read(codes):
    ((found,), model) = score(("a", "a"), languages=("en",), codes=codes)
    assert found.reason == "The token model reads en; the text is in 'ar'."
    assert model.asked == []


@pytest.mark.parametrize(
    ("languages", "code"), [((), "ar"), (("ar", "en"), "ar"), (("en",), "fr"), (("en",), "und")]
)
def test_a_model_is_asked_about_what_it_may_read(languages, code):
    ((found,), _) = score(("a", "a"), languages=languages, codes=(code, code))
    assert (found.f1, found.reason) == (1.0, "")


def test_long_texts_are_cut(monkeypatch):
    monkeypatch.setattr(module, "LONGEST", 2)
    ((found,), _) = score(("a a bb", "a"))
    assert found.f1 == 1.0
    assert found.is_cut


def test_vectors_without_tokens_score_0():
    none, one = np.zeros((0, 3)), np.eye(3)
    assert greedy_match(none, one)[:3] == greedy_match(one, none)[:3] == (0.0, 0.0, 0.0)
    assert greedy_match(one, -one)[:3] == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ((0.9, 0.8, 0.85), (0.9, 0.8, 0.85)),
        ((1.0000001, 1.0, 1.00000005), (1.0, 1.0, 1.0)),
        ((-0.2, -0.1, -0.13), (0.0, 0.0, 0.0)),
        ((0.4, -0.5, 4.0), (0.4, 0.0, 0.0)),
        ((None, None, 0.5), (None, None, 0.5)),
        ((0.5, 0.5, None), (0.5, 0.5, None)),
    ],
)
def test_scores_are_kept_between_0_and_1(raw, expected):
    names = ("precision", "recall", "f1")
    assert tuple(clamped(dict(zip(names, raw, strict=True))).values()) == expected


def test_both_metrics_show_the_same_f1_and_name_the_model():
    backends = Backends(token_embedder="fake")
    plan = make_plan(select(["chat.bertscore", "chat.f1_score"]), backends=backends)
    sample = Sample(response="the cat sat", expected="the cat ran")
    (scores,) = score_batch(plan, [sample])
    found, f1 = scores["chat.bertscore"], scores["chat.f1_score"]
    assert found.value == f1.value == found.details["f1"] < 1
    assert found.details["model"] == f1.details["model"] == "fake"
    assert found.details["raw"]["precision"] == pytest.approx(found.details["precision"])
    assert found.evidence == f1.evidence
    assert [sample.response[s.start : s.end] for s in found.evidence] == ["sat"]
    assert "token_embedder:fake" in found.signature


def test_a_score_is_rescaled_where_the_baseline_of_the_model_is_known():
    known = BertScore(0.56, 0.12, 0.118, "all-minilm-l6-v2-int8@1.0.0")
    found = rescaled(known)
    assert (found.precision, found.recall, found.f1) == pytest.approx((0.5, 0.0, 0.0))
    assert rescaled(known._replace(model="another")) == known._replace(model="another")
    refused = known._replace(reason="No words.")
    assert rescaled(refused) == refused
