"""The matcher against a plain reference: Python's `re`, one pattern at a time."""

import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import islice, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.core import ProfileError
from assay.data import Lexicon, Pattern, lexicon, lexicon_names
from assay.features import Matcher
from assay.features.normal import normal
from assay.textproc.pattern_checks import CHECKS
from assay.textproc.patterns import (
    MAX_HITS,
    TOGETHER,
    _PatternGroup,
    matcher,
    phrase_matcher,
)

MARKS = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code))[0] == "M"]
SPELLED = {ord(mark): chr(0x13000 + index % 1024) for index, mark in enumerate(MARKS)}
"""Marks as letters of a script that no text here uses: they belong to words, unlike in `re`."""


def reference(lexicons, text):
    """Every hit of every pattern, found the slow way."""
    plain = normal.feature(text)
    spelled = plain.lower.translate(SPELLED)
    found = Counter()
    for listed in lexicons:
        for pattern in listed.patterns:
            holds = CHECKS.get(pattern.check, bool)
            spans = (hit.span() for hit in source(pattern).finditer(spelled))
            checked = (span for span in spans if holds(plain.text[slice(*span)]))
            for span in islice(checked, MAX_HITS):
                found[listed.name, pattern.name, *span] += 1
    return found


@cache
def source(pattern):
    if pattern.regex:
        return re.compile(pattern.regex.translate(SPELLED))
    words = normal.feature(pattern.phrase).lower.split()
    before, after = (
        r"\b" if re.match(r"\w", char.translate(SPELLED)) else ""
        for char in (words[0][0], words[-1][-1])
    )
    return re.compile((before + r"\s+".join(map(re.escape, words)) + after).translate(SPELLED))


def find(lexicons, text):
    return Counter(map(tuple, compiled(tuple(lexicons)).find(normal.feature(text))))


compiled = cache(Matcher)


def make(name, phrases=(), regexes=()):
    patterns = [Pattern(phrase, phrase=phrase) for phrase in phrases]
    patterns += [Pattern(regex, regex=regex) for regex in regexes]
    return Lexicon(name, "", "", "", "", tuple(patterns), (), (), "")


def split(pieces):
    return pieces.split("|")


BUNDLED = [lexicon(name) for name in lexicon_names()]
PHRASES = make(
    "phrases",
    split(
        "مرحبا|منتج سيئ|السعر|مرحبا!|نعم|नमस्ते|हिन्दी भाषा|привет мир|ἀγορά|naïve|Ärger|你好"
        "|c++|.net|#tag|a_b|€|50 €|§ 12|£|(sic)"
    ),
)
REGEXES = make(
    "regexes",
    regexes=[
        r"\bسعر\b",
        r"\b(?:ثمن|سعر) \d{1,3}\b",
        r"السعر:? ?\d+",
        r"مرحبا[\w.]+",
        r"\bسعر\W+\d",
        r"سعر[^\w]\w",
        r"(?:سعر|ثمن)",
        r"\bсс\w*\b",
        r"\bna[iï]ve\b",
        r"(?:cafe|café)s?",
        r"[€£] ?\d+",
        r"\d+ ?\€",
        r"§+",
        r"[!-~]+",
        r"\b[a-z]+\b",
        r"\w+",
        r"\W+",
        r"[a-z0-9-_]+!",
    ],
)
ALPHABETS = [
    [chr(code) for code in range(first, last) if chr(code).isalpha()]
    for first, last in ((0x4E00, 0x4E50), (0x620, 0x650), (0x905, 0x93A), (0x3B1, 0x3CA))
]
WIDE = make(
    "wide",
    [a + b for letters in ALPHABETS for a, b in pairwise(letters)]
    + [a + b for a, b in zip(*ALPHABETS[:2], strict=False)],
)

PIECES = split(
    "damn|hell|ass|IN conclusion|it's worth noting that|it’s|worth noting that|to|summarize"
    "|john@example.com|a@b.co|555-123-4567|(555) 123|123-45-6789|٥٥٥|dr.|e.g|𝐝𝐚𝐦𝐧|dаmn"
    "|مرحبا|مرحبا!|منتج|سيئ|السعر|سعر|ثمن|و|نعم|مُنتَج|د.|أ.د|ں|नमस्ते|नमस्|हिन्दी|भाषा|ि|्"
    "|привет|мир|сс|ἀγορά|naïve|naive|café|cafe|cafe\u0301s|Ärger|a\u0308rger|你好|你"
    "|c++|.net|#tag|a_b|€|50 €|5|12|§|£|(sic)|(|)|_|-|+|.|,|!|W|w|é|ß|ſ|İ|ﬁ|½|😀"
    "| | | |\n|\t|\u00a0|\x0b|\u2028|\u200b|\u200d|\u202e|\u0301|\u093e|\u20dd|\ud800|\x00"
    "|\x01|\x02"
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=20).map("".join)
WIDE_TEXTS = st.text(st.sampled_from(" !\u0301\u093eaж" + "".join(map("".join, ALPHABETS))))


@settings(max_examples=400, deadline=None, derandomize=True)
@example("damnمرحبا damn مرحباdamn")
@example("مرحبا!مرحبا!مرحبا")
@example("نعم نعم نعم")
@example("cafe naive cafés")
@given(TEXTS)
def test_the_matcher_finds_what_re_finds(text):
    lexicons = [*BUNDLED, PHRASES, REGEXES]
    assert find(lexicons, text) == reference(lexicons, text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(WIDE_TEXTS)
def test_more_letters_than_one_shadow_holds(text):
    assert len(set("".join(pattern.phrase for pattern in WIDE.patterns))) > 128
    assert find([WIDE, PHRASES], text) == reference([WIDE, PHRASES], text)


@pytest.mark.parametrize(
    ("phrase", "text", "places"),
    [
        ("hell", "hello hell shell hell", [(6, 10), (17, 21)]),
        ("hell", "HELL", [(0, 4)]),
        ("hell", "hell-bent", [(0, 4)]),
        ("hell", "hell_bent", []),
        ("hell", "hellسعر", []),
        ("hell", "hell\u0902", [(0, 4)]),
        ("in other words", "in\nother   words", [(0, 16)]),
        ("نعم", "نعم نعم,نعم", [(0, 3), (4, 7), (8, 11)]),
        ("نعم", "ونعم نعمة", []),
        ("مرحبا!", "مرحبا!مرحبا!", [(0, 6), (6, 12)]),
        ("€", "5€ €€", [(1, 2), (3, 4), (4, 5)]),
        ("c++", "c++ abc++", [(0, 3)]),
        ("it's", "it’s", [(0, 4)]),
        ("नमस्ते", "नमस्ते नमस्तेजी", [(0, 6)]),
    ],
)
def test_a_phrase_matches_whole_words(phrase, text, places):
    found = phrase_matcher((phrase,)).find(normal.feature(text))
    assert [(hit.start, hit.end) for hit in found] == places


def test_a_regex_matches_without_regard_to_case():
    upper = make("upper", regexes=[r"\bSTR\w+\S\b", r"ÄRGER"])
    found = Matcher([upper]).find(normal.feature("Strasse, ÄRGER ärger"))
    assert [(hit.start, hit.end) for hit in found] == [(0, 7), (9, 14), (15, 20)]


def test_letters_beyond_ascii_may_be_optional():
    assert find([make("own", regexes=[r"na[iï]ve"])], "naive")


def test_hits_of_one_pattern_are_bounded():
    text = normal.feature("damn نعم " * (MAX_HITS + 10))
    assert len(list(matcher(frozenset(["blocklist.en"])).find(text))) == MAX_HITS
    assert len(list(phrase_matcher(("نعم",)).find(text))) == MAX_HITS


def test_blank_phrases_of_a_user_are_left_out():
    assert list(phrase_matcher(("", " ", "\u200b")).find(normal.feature("a \u200b b"))) == []


def test_only_lexicons_that_are_read_are_searched_for(monkeypatch):
    lexicons = []
    for word in ("cat", "dog"):
        own = tuple(Pattern(f"{word} {n}", regex=f"{word}s?{n}") for n in range(TOGETHER))
        lexicons.append(Lexicon(word, "", "", "", "", own, (), (), ""))
    found = Matcher(lexicons).search(normal.feature("cats3 and dog5"))
    search, sets = _PatternGroup.matching, []
    monkeypatch.setattr(
        _PatternGroup, "matching", lambda *given: sets.append(given[1]) or search(*given)
    )
    assert [hit.pattern for hit in found.hits("dog")] == ["dog 5"]
    assert [hit.pattern for hit in found.hits("dog")] == ["dog 5"]
    assert sets == [1]


def test_a_matcher_without_patterns_finds_nothing():
    assert list(Matcher([]).find(normal.feature("anything"))) == []


@pytest.mark.parametrize(
    ("regex", "message"),
    [
        (r"(a)\1", "own: pattern .* is not a linear-time expression: invalid escape"),
        (r"a(?=b)", "is not a linear-time expression: invalid perl operator"),
        (r"(?<!a)b", "is not a linear-time expression: invalid"),
        (r"(?<=سعر) ", "is not a linear-time expression"),
        (r"a(", "is not a linear-time expression: missing"),
        (r"a*", "matches the empty text; expected at least one character"),
        (r"\b", "matches the empty text"),
        (r"(?:سعر)?", "matches the empty text"),
        (r"سعر\b ثمن", r"has letters beyond ASCII; expected \\b at its ends only"),
        (r"سعر\Bثمن", r"has letters beyond ASCII; expected \\b at its ends only"),
        (r"[ا-ي]+", "has a range of characters beyond ASCII; expected them one by one"),
        (r"[a-ي]+", "has a range of characters beyond ASCII"),
        (r"[€-₤]", "has a range of characters beyond ASCII"),
        (r"سعر[\W]", r"has '\\\\W' in brackets; expected \[\^\\w\]"),
        (r"\bسعر|ثمن\b", r"has alternatives; expected them in \(\?:…\|…\)"),
        (r"(?i)wow", r"has '\(\?i'; case never matters, leave it out"),
        (r"\p{Arabic}+", r"has '\\\\p'; expected letters, or \\w for any"),
        (r"[\pL]", "expected letters, or"),
        (r"\x{0633}", "expected the character itself"),
        (r"it’s", "has '’', which normalised text never holds; expected \"'\""),
        (r"[٣]", "which normalised text never holds; expected '3'"),
    ],
)
def test_an_expression_that_cannot_be_run_is_refused(regex, message):
    with pytest.raises(ProfileError, match=message):
        Matcher([make("own", regexes=[regex])])


@pytest.mark.parametrize("pattern", [Pattern("nothing", phrase="\u200b"), Pattern("nothing")])
def test_an_empty_pattern_is_refused(pattern):
    own = Lexicon("own", "", "", "", "", (pattern,), (), (), "")
    with pytest.raises(ProfileError, match="'nothing' is empty; expected a phrase"):
        Matcher([own])


def test_a_pattern_of_too_many_letters_is_refused():
    letters = "".join(chr(0x4E00 + index) for index in range(129))
    with pytest.raises(ProfileError, match="uses 129 letters beyond ASCII; expected at most 128"):
        Matcher([make("own", [letters])])


def test_patterns_of_too_many_signs_are_refused():
    signs = [chr(0x2600 + index) for index in range(22)]
    with pytest.raises(ProfileError, match="use 22 signs beyond ASCII; expected at most 21"):
        Matcher([make("own", signs)])


def checked(check):
    pattern = Pattern("number", regex=r"\b[\w ]+\b", check=check)
    return Matcher([Lexicon("own", "", "", "", "", (pattern,), (), (), "")])


@pytest.mark.parametrize(
    ("check", "text", "is_found"),
    [
        ("aadhaar", "2341 2341 2346", True),
        ("aadhaar", "2341 2341 2347", False),
        ("aadhaar", "٢٣٤١ ٢٣٤١ ٢٣٤٦", True),
        ("pan", "ABCDE1234F", True),
        ("pan", "abcde1234f", False),
        ("pan", "ＡＢＣＤＥ１２３４Ｆ", True),
    ],
)
def test_a_check_decides_on_the_text_with_its_case(check, text, is_found):
    assert bool(list(checked(check).find(normal.feature(text)))) is is_found


def test_hits_that_fail_their_check_do_not_use_up_the_limit():
    text = "1;" * (MAX_HITS + 5) + "ABCDE1234F"
    assert len(list(checked("pan").find(normal.feature(text)))) == 1


def test_an_unknown_check_is_refused():
    with pytest.raises(ProfileError, match=r"unknown check .luck.; expected one of aadhaar"):
        checked("luck")
