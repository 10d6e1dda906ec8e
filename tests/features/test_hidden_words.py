"""Words that are hidden by characters: found all the same, and benign texts are left alone."""

import unicodedata
from collections import Counter
from itertools import product

import pytest

from assay import evaluate

KEYWORDS = 200
INVISIBLE = {
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "zero-width non-joiner": "\u200c",
    "word joiner": "\u2060",
    "soft hyphen": "\u00ad",
    "byte order mark": "\ufeff",
    "tag character": "\U000e0041",
    "variation selector": "\ufe0f",
    "combining grapheme joiner": "\u034f",
}
CONFUSABLE = str.maketrans("aeocpxyi", "аеосрхуі")  # Cyrillic
SHAPES = {
    **{name: lambda word, sign=sign: sign.join(word) for name, sign in INVISIBLE.items()},
    "full width": lambda word: "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in word),
    "bold": lambda word: _mathematical(word, 0x1D41A),
    "monospace": lambda word: _mathematical(word, 0x1D68A),
    "upper case": str.upper,
    "Cyrillic letters": lambda word: word.translate(CONFUSABLE),
}
CONFUSABLES = {"Cyrillic letters"}
BENIGN = (
    "می‌خواهم کتاب‌ها را ببینم.",  # Persian needs the non-joiner
    "क्‍षेत्र में मौसम अच्छा है।",  # Hindi the joiner
    "A family 👨‍👩‍👧 and a flag 🏳️‍🌈 are emoji.",
    "Die Prüfung in Gießen ist bestanden.",
    "المكتبة مفتوحة كل يوم.",
)


def _mathematical(word, start):
    return "".join(chr(start + ord(c) - ord("a")) if "a" <= c <= "z" else c for c in word)


def keywords():
    """Made-up words, so that no other rule knows them."""
    first = ("kes", "har", "mon", "tel", "ver", "sil", "bra", "nor", "pen", "lu")
    last = ("trel", "bour", "dale", "fin", "gate", "wick", "more", "ton", "ley", "mark")
    return ["".join(parts) for parts in product(first, last, ("", "s"))]


def shares():
    """Shape → the share of hidden keywords that are found."""
    words = keywords()
    assert len(words) == KEYWORDS
    cases = [(name, word, hide(word)) for word in words for name, hide in SHAPES.items()]
    records = [
        {
            "id": str(number),
            "query": "What is the word?",
            "response": f"The word is {hidden}, as was said.",
            "metadata": {"expected_behaviour": "keep", "forbidden": [word]},
        }
        for number, (_, word, hidden) in enumerate(cases)
    ]
    report = evaluate(records, metrics="suite", settings=None)
    found = Counter()
    for (name, _, _), scores in zip(cases, report.scores, strict=True):
        found[name] += scores.status == "failed"
    return {name: found[name] / KEYWORDS for name in SHAPES}


@pytest.fixture(scope="module")
def found():
    return shares()


@pytest.mark.parametrize("name", SHAPES)
def test_a_hidden_word_is_found(found, name):
    assert found[name] >= (0.95 if name in CONFUSABLES else 0.99), found


def test_benign_texts_are_left_alone():
    records = [
        {
            "id": f"{number} {word}",
            "query": "?",
            "response": unicodedata.normalize("NFC", text),
            "metadata": {"expected_behaviour": "keep", "forbidden": [word]},
        }
        for number, text in enumerate(BENIGN)
        for word in keywords()[:50]
    ]
    report = evaluate(records, metrics="suite", settings=None)
    assert [scores.id for scores in report.scores if scores.status == "failed"] == []
