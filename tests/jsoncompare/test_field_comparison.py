import pytest
from hypothesis import given, settings

from assay.backends import Backends
from assay.core import ModelError
from assay.data.json_options import JsonOptions
from assay.jsoncompare.document import JsonDocument
from assay.jsoncompare.field_comparison import compare, compare_documents, likenesses
from assay.jsoncompare.pairing import pair

from .test_pairing import CHOICES, DOCUMENTS

FAKES = Backends(embedder="fake")


def compared(gt, aio, backends=FAKES, similarities=None, **options):
    documents = [JsonDocument(aio)]
    return compare_documents(gt, documents, JsonOptions(**options), similarities, backends)[0]


@settings(max_examples=200, derandomize=True, deadline=None)
@given(DOCUMENTS, DOCUMENTS, CHOICES)
def test_accuracy_lies_between_0_and_1_and_every_field_is_there(gt, aio, options):
    found = compare_documents(gt, [JsonDocument(aio)], options)[0]
    assert 0 <= found.accuracy <= 1
    by_bucket = [f.field_name for f in found.field_scores if f.bucket == "both_non_null"]
    assert tuple(sorted(by_bucket)) == found.both_non_null
    assert set(found.matching_keys) | set(found.missing_keys) == set(found.gt_keys)
    assert all(f.explanation.endswith(".") for f in found.field_scores)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(DOCUMENTS, CHOICES)
def test_a_document_beside_itself_is_accurate(document, options):
    found = compare_documents(document, [JsonDocument(document)], options)[0]
    assert (found.completeness, found.hallucination, found.accuracy) == (1.0, 0.0, 1.0)


class Counting:
    """An embedder and a judge that remember what they were asked."""

    name = "counting"

    def __init__(self):
        self.texts, self.pairs = [], []

    def embed(self, texts):
        self.texts.append(list(texts))
        fake = Backends(embedder="fake").get("embedder")
        return [ModelError("no Greek") if "α" in t else fake.embed([t])[0] for t in texts]

    def similarities(self, pairs, kind):
        self.pairs.append((kind, list(pairs)))
        return [ModelError("no verdict") if "bad" in one else 0.82 for one, _ in pairs]


NOBODY = Backends(embedder="").get("judge")


def test_a_batch_embeds_every_distinct_text_once():
    embedder = Counting()
    documents = [({"a": "x y", "b": "same"}, {"a": "x z", "b": " same "})] * 3
    documents.append(({"a": "p q", "n": 1}, {"a": "x y", "n": 1}))
    options = JsonOptions(typed=False)
    pairings = [pair(gt, JsonDocument(aio), options) for gt, aio in documents]
    found = likenesses(pairings, embedder, NOBODY)
    assert embedder.texts == [["x y", "x z", "p q"]]
    assert found[0] == found[1]
    assert found[0]["b"].similarity == 1.0


def test_nothing_is_asked_without_semantic_fields():
    embedder = Counting()
    pairings = [pair({"a": 1, "b": "x"}, JsonDocument({"a": 1, "b": "x "}), JsonOptions())]
    assert likenesses(pairings, embedder, NOBODY)[0]["b"].similarity == 1.0
    assert embedder.texts == []


def test_a_text_that_the_model_cannot_read_is_an_error_never_0():
    pairing = pair(
        {"a": "αβγ δ", "b": "x y"},
        JsonDocument({"a": "x", "b": "x y z"}),
        JsonOptions(strategies={"a": "SEMANTIC", "b": "SEMANTIC"}),
    )
    (found,) = likenesses([pairing], Counting(), NOBODY)
    result = compare(pairing, found)
    assert result.accuracy is None
    assert result.field_scores[0].score is None
    assert "no Greek" in result.field_scores[0].explanation
    assert result.field_scores[1].score is not None


def test_the_judge_answers_for_fuzzy_and_semantic_with_the_same_thresholds():
    judge = Counting()
    gt, aio = {"a": "x", "b": "y", "c": "z"}, {"a": "p", "b": "q", "c": "z"}
    pairing = pair(gt, JsonDocument(aio), JsonOptions(strategies={"a": "FUZZY"}))
    (found,) = likenesses([pairing], Counting(), judge)
    result = compare(pairing, found)
    assert judge.pairs == [("fuzzy", [("x", "p")]), ("semantic", [("y", "q")])]
    assert [f.score for f in result.field_scores] == [0.0, 1.0, 1.0]


def test_without_an_embedder_semantic_fields_are_compared_as_fuzzy_and_say_so():
    strategies = {"a": "SEMANTIC"}
    found = compared(
        {"a": "John Smith"}, {"a": "John Smyth"}, Backends(embedder=""), strategies=strategies
    )
    assert found.field_scores[0].match_strategy == "FUZZY"
    assert found.accuracy == 1.0
    assert "compared as FUZZY" in found.notes[0]


SENTENCE = "The parcel arrived on Monday and the customer was pleased with the quick delivery."


@pytest.mark.parametrize(
    ("field", "expected", "actual", "kind", "is_same"),
    [
        ("answer", "yes", "no", "yes or no", False),
        ("answer", "yes", "Yes.", "yes or no", True),
        ("invoice", "INV-2041", "INV-2042", "identifier", False),
        ("verdict", "safe", "not safe", "label", False),
        ("name", "John Smith", "JOHN SMITH", "name", True),
        ("weight", "1.5 kg", "1500 g", "quantity", True),
        ("weight", "1.5 kg", "1.5 lb", "quantity", False),
        ("date", "2024-03-09", "9 March 2024", "date", True),
        ("count", 5, "5.0", "number", True),
        ("note", SENTENCE, SENTENCE.replace("pleased", "not pleased"), "text", False),
        ("note", SENTENCE, SENTENCE.replace("Monday", "Tuesday"), "text", False),
        ("السعر", "٥٠ ريال", "50 ريالا", "quantity", True),
        ("السعر", "٥٠ ريال", "50 درهما", "quantity", False),
    ],
)
def test_a_field_without_a_strategy_is_compared_by_what_it_is(
    field, expected, actual, kind, is_same
):
    found = compared({field: expected}, {field: actual}, Backends(embedder=""))
    (score,) = found.field_scores
    assert (score.match_strategy, score.field_type, score.score) == ("TYPED", kind, float(is_same))


@pytest.mark.parametrize(("threshold", "score"), [(0.0, 1.0), (1.0, 0.0)])
def test_free_text_has_a_threshold_of_its_own(threshold, score):
    gt, aio = {"note": "The parcel was lost on its way."}, {"note": "Nobody knows where my box is."}
    (field,) = compared(gt, aio, text_threshold=threshold, semantic_threshold=0.5).field_scores
    assert (field.match_strategy, field.score) == ("TYPED", score)


def test_the_reason_of_a_difference_is_given():
    (score,) = compared({"sum": "10 EUR"}, {"sum": "12 EUR"}).field_scores
    assert score.explanation == (
        "They differ: the quantity is '12 eur' where '10 eur' is expected."
    )


def test_the_embedder_is_asked_about_free_texts_that_the_words_do_not_decide():
    embedder = Counting()
    gt = {"note": "w x y z p q", "day": "Monday", "other": "a b c d not e"}
    aio = {"note": "k l m n o r", "day": "Tuesday", "other": "a b c d e"}
    pairing = pair(gt, JsonDocument(aio), JsonOptions())
    (found,) = likenesses([pairing], embedder, NOBODY)
    assert embedder.texts == [["w x y z p q", "k l m n o r"]]
    assert found["note"].source == "embedder"
    assert found["day"].similarity == 0.0


@pytest.mark.parametrize(
    ("expected", "actual", "is_same"),
    [
        ("The red parcel was damaged in transit.", "The red parcel was lost in transit.", False),
        ("The tenant must clean the kitchen.", "The tenant must paint the kitchen.", False),
        ("وصلت الشحنة متأخرة أسبوعًا.", "وصلت الشحنة قبل موعدها بأسبوع.", False),
        ("The repair of the old bike was fast.", "The repair of the old bike was quick.", True),
        ("The clerk made a serious mistake.", "The clerk made a serious error.", True),
    ],
)
def test_one_word_in_the_place_of_another_decides(expected, actual, is_same):
    found = compared({"note": expected}, {"note": actual}, Backends())
    assert found.accuracy == is_same


def test_the_embedder_is_asked_about_the_one_word_that_differs():
    embedder = Counting()
    expected, actual = "The tenant must clean the kitchen.", "The tenant must paint the kitchen."
    (found,) = likenesses(
        [pair({"note": expected}, JsonDocument({"note": actual}), JsonOptions())], embedder, NOBODY
    )
    assert embedder.texts == [["clean", "paint"]]
    assert found["note"].reason == "it says 'paint' where 'clean' is expected"
    without = compared({"note": expected}, {"note": actual}, Backends(embedder=""))
    assert without.accuracy == 0.0


def test_long_values_are_cut_as_documented():
    one, other = "a" * 500 + "b" * 5000, "a" * 500 + "c" * 5000
    found = compared({"x": one}, {"x": other}, strategies={"x": "FUZZY"})
    assert found.field_scores[0].similarity == 1.0
    embedder = Counting()
    pairing = pair({"x": "w " * 3000}, JsonDocument({"x": "v " * 3000}), JsonOptions(typed=False))
    likenesses([pairing], embedder, NOBODY)
    assert [len(text) for text in embedder.texts[0]] == [2000, 2000]


@pytest.mark.parametrize(("choice", "expected"), [("one", 1.0), ("zero", 0.0), ("none", None)])
def test_nothing_to_compare_is_marked(choice, expected):
    found = compared({"a": "x"}, {}, vacuous_accuracy=choice)
    assert (found.accuracy, found.is_vacuous) == (expected, True)
    assert any("no field to compare" in note for note in found.notes)


def test_a_field_has_a_threshold_of_its_own():
    strategies = {"a": {"strategy": "FUZZY", "threshold": 0.95}}
    assert compared({"a": "John Smith"}, {"a": "John Smyth"}, strategies=strategies).accuracy == 0
    strategies = {"a": {"strategy": "FUZZY", "ignore_case": True}}
    assert compared({"a": "JOHN"}, {"a": "john"}, strategies=strategies).accuracy == 1
    assert compared({"a": "JOHN"}, {"a": "john"}, strategies={"a": "FUZZY"}).accuracy == 1
    minds_case = {"a": {"strategy": "FUZZY", "ignore_case": False}}
    assert compared({"a": "JOHN"}, {"a": "john"}, strategies=minds_case).accuracy == 0


def test_similarities_from_outside_are_taken_as_they_are():
    found = compared({"a": "x", "n": 1}, {"a": "y", "n": 2}, similarities={"a": 0.8, "n": 1.0})
    assert [f.score for f in found.field_scores] == [1.0, 0.0]
