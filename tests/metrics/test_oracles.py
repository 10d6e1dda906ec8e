"""Ours against reference implementations, on random input."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from nltk.stem.porter import PorterStemmer
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_score.rouge_scorer import RougeScorer

from assay.core import Sample
from assay.engine import make_plan, score_batch
from assay.features.bertscore import greedy_match
from assay.registry import metrics, rules
from assay.textproc.rouge import Rouge, rouge_scores, rouge_tokens
from assay.textproc.stem import stem

PORTER = PorterStemmer()
SMOOTHING = SmoothingFunction().method1
SCORER = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)

ENDINGS = (
    "sses ies ied eed ed ing y alli logi ational tional enci anci izer bli entli eli ousli ization"
    " ation ator alism iveness fulness ousness aliti iviti biliti fulli icate ative alize iciti"
    " ical ful ness al ance ence er ic able ible ant ement ment ent sion tion ion ou ism ate iti"
    " ous ive ize e ll s ss at bl iz ly"
)
ROOTS = (
    "a b y ay by oy tr tree tri oat sky spy enjoy say toy run hop hopp fil fail fall fizz bow box"
    " play controll general relat condit rat hesit digit form decis sens electr good reviv allow"
    " infer airlin gyroscop adjust defens irrit replac depend adopt homolog commun activ angular"
    " effect bowdler probat ceas geo theo philo arch x1 2nd o'clock café naïv yyy syzyg queue ai"
)
PIECES = (
    "the|cat|cats|sat|sitting|on|a|mat|mats|relational|happy|Happiness|DIED|skies|news|1|42|3.14"
    "|1,000|don't|e-mail|naïve|niño|القاهرة|عاصمة|مدينة|北京|\u212aeep|İstanbul|ﬁne|\x1c|\u00a0|\u2028|\ud800"
    "|.|,|?|-|\n|\t| "
)
PLAIN = PIECES.split("|")[:12]
TEXTS = st.one_of(
    st.just(""),
    st.text(max_size=40),
    st.text(st.characters(exclude_categories=()), max_size=40),
    st.text("ab \n", max_size=60),
    st.lists(st.sampled_from(PIECES.split("|")), max_size=40).map(" ".join),
    st.lists(st.sampled_from(PIECES.split("|")), max_size=40).map("".join),
    st.lists(st.sampled_from(PLAIN), min_size=100, max_size=300).map(" ".join),
)
oracle = settings(max_examples=400, deadline=None, derandomize=True)


def test_stems_of_many_words():
    last = ["", *ENDINGS.split()[:12], *ENDINGS.split()[-12:]]
    words = ["".join(parts) for parts in product(ROOTS.split(), ["", *ENDINGS.split()], last)]
    assert len(words) > 90_000
    assert [word for word in words if stem(word) != PORTER.stem(word)] == []


@oracle
@given(
    word=st.one_of(
        st.text(),
        st.text("abcdeilnostuyz", max_size=12),
        st.lists(st.sampled_from([*ROOTS.split(), *ENDINGS.split()]), max_size=5).map("".join),
    )
)
def test_stem_of_any_word(word):
    assert stem(word) == PORTER.stem(word)


@oracle
@given(response=TEXTS, expected=TEXTS)
def test_bleu(response, expected):
    theirs = sentence_bleu(
        [expected.split()],
        response.split(),
        weights=(0.25, 0.25, 0.25, 0.25),
        smoothing_function=SMOOTHING,
    )
    ours = metrics()["chat.bleu"](response, expected)
    assert ours.value == pytest.approx(theirs, rel=0, abs=1e-12)


def rouge_by_package(expected, response):
    found = SCORER.score(expected, response)
    return Rouge(
        found["rouge1"].fmeasure,
        found["rouge2"].fmeasure,
        found["rougeL"].fmeasure,
        found["rouge1"].precision,
        found["rouge1"].recall,
    )


@oracle
@given(response=TEXTS, expected=TEXTS)
def test_rouge(response, expected):
    theirs = rouge_by_package(expected, response)
    assert rouge_scores(rouge_tokens(expected), rouge_tokens(response)) == theirs
    ours = metrics()["chat.rouge"](response, expected)
    assert ours.value == theirs.rougeL_f1
    assert ours.details == theirs._asdict()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(response=TEXTS, expected=TEXTS)
def test_rouge_through_the_engine_and_through_its_rule(response, expected):
    (scores,) = score_batch(
        make_plan([metrics()["chat.rouge"]]), [Sample(response=response, expected=expected)]
    )
    result = scores["chat.rouge"]
    assume(result.state == "ok")
    theirs = rouge_by_package(expected, response)
    assert result.details == theirs._asdict() == rules()["chat.rouge"](expected, response)


def test_rouge_reads_other_scripts_where_the_package_finds_nothing():
    text = "القاهرة عاصمة مصر"
    assert rouge_by_package(text, text)[:5] == (0.0,) * 5
    assert Rouge(**rules()["chat.rouge"](text, text))[:5] == (1.0,) * 5
    assert rules()["chat.rouge"](None, text) is None


VECTORS = st.integers(1, 6).flatmap(
    lambda size: st.tuples(
        *(
            arrays.arrays(
                np.float64,
                st.tuples(st.integers(1, 7), st.just(size)),
                elements=st.floats(-1, 1).filter(lambda x: x == 0 or abs(x) > 1e-3),
            )
            for _ in range(2)
        )
    )
)


def unit(rows):
    assume((np.linalg.norm(rows, axis=1) > 0).all())
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@oracle
@given(pair=VECTORS)
def test_greedy_matching_by_plain_loops(pair):
    candidate, reference = map(unit, pair)
    precision = np.mean([max(float(np.dot(c, r)) for r in reference) for c in candidate])
    recall = np.mean([max(float(np.dot(c, r)) for c in candidate) for r in reference])
    ours = greedy_match(candidate, reference)
    assert ours.precision == pytest.approx(precision, rel=0, abs=1e-6)
    assert ours.recall == pytest.approx(recall, rel=0, abs=1e-6)
    if precision + recall > 0.01:  # near 0 the quotient blows rounding errors up
        f1 = 2 * precision * recall / (precision + recall)
        assert ours.f1 == pytest.approx(f1, rel=1e-4, abs=1e-6)


@oracle
@given(pair=VECTORS)
def test_greedy_matching_by_the_package(pair):
    torch = pytest.importorskip("torch", reason="bert-score is not installed")
    package = pytest.importorskip("bert_score.utils", reason="bert-score is not installed")
    candidate, reference = map(unit, pair)

    def arguments(vectors):
        ones = torch.ones(1, len(vectors))
        return torch.tensor(vectors)[None], ones, ones

    found = package.greedy_cos_idf(*arguments(reference), *arguments(candidate))
    precision, recall, f1 = (float(value) for value in found)
    ours = greedy_match(candidate, reference)
    assert ours[:2] == pytest.approx((precision, recall), rel=0, abs=1e-6)
    if precision + recall > 0.01:
        assert ours.f1 == pytest.approx(f1, rel=1e-4, abs=1e-6)
