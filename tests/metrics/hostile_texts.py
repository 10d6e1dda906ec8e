"""Nasty texts, short and long, and what has to hold of the scores of any text."""

from functools import partial
from math import isfinite

from assay import registry
from assay.report.evidence_text import text_of

ALPHABETS = {
    "blank": " \t\n\r\x0b\x0c\x1c\x1d\x85\u00a0\u1680\u2003\u2028\u2029\u3000",
    "control": "".join(map(chr, [*range(32), *range(127, 160)])),
    "invisible": "\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u2060\u3164\ufe0f\ufeff\U000e0041",
    "bidi": "abc אבג سعر 123 \u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2069",
    "surrogate": "a\ud800\udbff\udc00\udfff b.",
    "private": "\ue000\uf8ff\ufdd0\ufffd\ufffe\uffff\U000fffff\U0010ffff",
    "marks": "aeiouI\u0300\u0301\u0307\u0308\u0327\u0336\u0345\u0489\u064b\u0651\u093c\u20dd",
    "emoji": "👩👨👧👍🏽\u200d\ufe0f🏳️‍🌈🇩🇪1️⃣❤️ ok.",
    "digits": "0123456789٠١٢٣۴५６½²①Ⅷ.,-+() @",
    "stops": ".!?؟۔。！？…\"'”)] a",
    "arabic": "القاهرة عاصمة مصر ـًٌٍَُِّْ ؟ ، . نعم ليس",
    "mixed": "aаαօ bЬ cс dԁ eе 中文 かな 한국 नमस्ते ไทย ﷺ ﬁ ß İ ı ſ K Å.",
    "markup": "<script>&amp;'\"/><b onload=x>{{7*7}}${x}%s%n{0}\\u0000\\x",
    "any": "".join(map(chr, range(1, 0x3000, 7))),
}
PHRASES = (
    "damn|h\u200bell|d\u0430mn|john@example.com|555-123-4567|123-45-6789|٥٥٥-١٢٣-٤٥٦٧|(555) 1234567"
    "|In conclusion,|it’s worth noting that|It is open.|It is not open.|always|never.|yes|no|cannot"
    "|costs 5|costs 7|page ٣|Dr.|e.g.|1. first\n2) second|What is it?| and |ما هي؟|。|http://a.b/c?d=e"
    "|null|None|NaN|inf|-0|1e999|'; DROP TABLE x;--|../../etc/passwd|=cmd()|\\|%00|{}|[]|\ufeff"
)


def fixed(rng):
    """Nothing, or next to nothing."""
    return rng.choice(["", " ", "\n", "\u200b", "\x00", "\ud800", ".", "a", "؟", "\ufeff"])


def brackets(rng):
    """Brackets that open and never close."""
    return rng.choice("[{(<\"'") * rng.randrange(60) + rng.choice(["", "1", ")]}"]) * 20


def repeated(rng):
    """One character, a hundred times."""
    return rng.choice(["a", "ا", "中", "\u0301", ".", "?", "9", "\U0001f469\u200d"]) * 100


def phrases(rng):
    """Up to eight phrases that metrics look for."""
    pieces = rng.choices(PHRASES.split("|"), k=rng.randrange(1, 9))
    return rng.choice([" ", " ", "", "\n", "\u200b", ". "]).join(pieces)


def characters(rng, alphabet):
    """Up to 120 characters of an alphabet."""
    return "".join(rng.choices(alphabet, k=rng.choice([1, 5, 20, 60, 120])))


def mixed_with_another(rng, alphabet):
    """Up to 120 characters of an alphabet, alone or with those of another."""
    return characters(rng, alphabet + rng.choice(["", *ALPHABETS.values()]))


KINDS = {kind.__name__: kind for kind in (fixed, brackets, repeated, phrases)}
KINDS |= {name: partial(mixed_with_another, alphabet=own) for name, own in ALPHABETS.items()}
"""The kinds of short texts; each is a function of a random number generator."""


def short(rng):
    """A text of any kind, of up to 120 characters or so."""
    kind = rng.randrange(20)
    if kind < 3:
        return (fixed, brackets, repeated)[kind](rng)
    if kind < 9:
        return phrases(rng)
    alphabet = ALPHABETS[rng.choice(list(ALPHABETS))]
    if kind < 13:
        alphabet += ALPHABETS[rng.choice(list(ALPHABETS))]
    return characters(rng, alphabet)


LONG = {
    "one word": "a",
    "one Arabic word": "سعر",
    "words": "word ",
    "distinct words": "w{0} ",
    "distinct sentences": "This is the sentence {0}. ",
    "distinct statements": "w{0} is hot. w{0} is not hot. ",
    "distinct prices": "{1} 1 {1} 2 ",
    "distinct questions": "what w{0}? ",
    "distinct numbered lines": "{0}. topic w{0}\n",
    "distinct parts": "topic w{0} and ",
    "distinct addresses": "a{0}@b{0}.com ",
    "sentences": "It is open. It is not open. ",
    "long words before stops": "averylongwordindeed. ",
    "stops": ".",
    "stops and blanks": ". ",
    "closing quotes": ".\"')",
    "questions": "what? ",
    "Chinese questions": "什么？",
    "and": "topic and ",
    "numbered lines": "1. topic\n",
    "blanks": " ",
    "line ends": "\n",
    "marks": "\u0301",
    "kept marks": "\u0903",
    "vowel marks": "سَُِ",
    "invisible": "\u200b",
    "look-alikes": "pаypаl ",
    "expanding": "ﷺ",
    "digits": "5",
    "prices": "costs 5 ",
    "telephone numbers": "555-123-4567 ",
    "nearly addresses": "a@",
    "nearly domains": "a@b.",
    "blocked": "damn ",
    "padding": "in conclusion, ",
    "statements": "tea is hot tea is not hot ",
    "brackets": "[[[{{{(((",
    "surrogates": "\ud800",
    "emoji": "👩\u200d👩\u200d👧",
}


GROWING = (
    *("words", "distinct words", "distinct questions", "distinct parts", "distinct addresses"),
    *("questions", "and", "padding", "look-alikes", "brackets", "emoji"),
)
"""Shapes whose parts are read one by one and compared, and which are counted quickly."""
LONGEST = ("one word", "distinct statements", "stops and blanks", "Chinese questions", "marks")


def long(piece, size):
    if "{0}" in piece or "{1}" in piece:
        letters = str.maketrans("0123456789", "abcdefghij")
        pieces = [piece.format(n, str(n).translate(letters)) for n in range(size // len(piece))]
        return "".join(pieces)[:size]
    return (piece * (size // len(piece) + 1))[:size]


def check(sample, scores):
    for id, result in scores.results.items():
        low, high = registry.metrics()[id].range
        assert result.state != "error", (sample, result)
        if result.value is None:
            assert result.state != "ok", (sample, result)
        else:
            assert isfinite(result.value)
            assert low is None or low <= result.value, (sample, result)
            assert high is None or result.value <= high, (sample, result)
        for span in result.evidence:
            text = text_of(sample, span.field)
            assert 0 <= span.start < span.end <= len(text), (sample, result)
