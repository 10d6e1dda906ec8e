import pytest

from assay.backends import Backends
from assay.backends.choice import is_configured
from assay.backends.fake import FakeModel
from assay.data.toxicity_labels import label_name, toxicity_labels
from assay.features.normal import normal
from assay.features.toxicity import toxicity
from assay.scoring.toxicity import highest_score, keyword_score, weighted_score

TEXTS = [normal.feature(text) for text in ("I hate it.", "I like it.")]


def test_the_classifier_is_asked_once_for_all_texts():
    asked = []

    class Counting(FakeModel):
        def classify(self, texts):
            asked.append(list(texts))
            return super().classify(texts)

    assert toxicity.feature(TEXTS, Counting()) == [{"toxic": 1.0}, {"toxic": 0.0}]
    assert asked == [["I hate it.", "I like it."]]


def test_without_a_classifier_there_are_no_scores():
    none, fake = Backends().get("classifier"), Backends(classifier="fake").get("classifier")
    assert (is_configured(none), is_configured(fake), is_configured(FakeModel())) == (
        False,
        True,
        True,
    )
    assert toxicity.feature(TEXTS, none) == [None, None]
    assert toxicity.feature(TEXTS, fake) == [{"toxic": 1.0}, {"toxic": 0.0}]


def test_a_classifier_that_answers_too_little_fails():
    class Short(FakeModel):
        def classify(self, texts):
            return [{"toxic": 1.0}]

    with pytest.raises(ValueError, match="shorter"):
        toxicity.feature(TEXTS, Short())


@pytest.mark.parametrize(
    ("label", "weight"),
    [
        ("toxic", 1.0),
        ("severe_toxic", 1.5),
        ("Severe Toxic", 1.5),
        ("obscene", 0.8),
        ("threat", 1.2),
        ("insult", 0.9),
        ("identity_hate", 1.3),
        ("toxicity", 1.0),
        ("severe-toxicity", 1.5),
        ("identity_attack", 1.3),
        ("very_toxic", 1.0),
        ("severe_toxicity_v2", 1.5),
        ("hate", 1.3),
        ("threats", 1.2),
        ("non-toxic", None),
        ("not_hate", None),
        ("nontoxic", None),
        ("neutral", None),
        ("LABEL_0", None),
        ("id", None),
        ("", None),
    ],
)
def test_a_label_is_known_by_its_name_its_alias_or_a_part(label, weight):
    assert toxicity_labels().weight(label) == weight


def test_the_words_of_a_label_are_joined():
    assert label_name(" Identity  Hate! ") == "identity_hate"


@pytest.mark.parametrize(
    ("components", "mean", "highest"),
    [
        ({"toxic": 1.0}, 100.0, 100.0),
        ({"toxic": 0.9, "non-toxic": 0.1}, 90.0, 90.0),
        ({"toxic": 0.1, "non-toxic": 0.9}, 10.0, 10.0),
        ({"toxic": 1.0, "severe_toxic": 0.0}, 40.0, 100.0),
        ({"LABEL_0": 0.2, "LABEL_1": 0.8}, 80.0, 80.0),
        ({"neutral": 0.75}, 25.0, 25.0),
        ({}, None, None),
        (None, None, None),
    ],
)
def test_labels_become_a_mean_and_a_maximum(components, mean, highest):
    assert weighted_score(components) == (None if mean is None else pytest.approx(mean))
    assert highest_score(components) == (None if highest is None else pytest.approx(highest))


def test_no_rounding_lifts_a_mean_over_the_top():
    labels = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate")
    assert weighted_score(dict.fromkeys(labels, 1.0)) <= 100.0


@pytest.mark.parametrize(
    ("weights", "words", "value"),
    [([0.6], 50, 63.0), ([0.6], None, 60.0), ([], 80, 0.0), (None, 80, None), ([1.0], 50, 100.0)],
)
def test_keywords_count_more_in_a_long_text(weights, words, value):
    assert keyword_score(weights, words) == (None if value is None else pytest.approx(value))
