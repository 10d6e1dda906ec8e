import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.features.normal import normal as feature
from assay.textproc.normal import exchange

normal = feature.feature

TEXTS = st.one_of(
    st.text(),
    st.text(st.characters(exclude_categories=())),
    st.text(
        st.sampled_from(
            "aIeéЖжаеΑοسعرَُّـक़क़नमस्ते中文。？！한국어İıẞßſﬁ①Ⅷ½²ａ１٣৪“”’—\u00a0\u200b\u200d\u202e\u0301\u0307\u0327\u0336"
            "\u034f\u0345\u0e33\u0f73\u1100\u1161\u3099\u3131\ufdfa\ufe0f\U0001f469\U000e0041\ud800\x00\x0b\x1f"
        )
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Plain text, unchanged.\tYes\n", "Plain text, unchanged.\tYes\n"),
        ("It’s “quoted” «so» ‚it‘ ′is", "It's \"quoted\" \"so\" 'it' 'is"),
        ("a–b—c‑d−e", "a-b-c-d-e"),
        ("a\u00a0b\u2003c\u3000d", "a b c d"),
        ("a\x0bb\x0cc\x1fd\x85e\u2028f", "a b c d e f"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("ﬁnd ½ ² ① Ⅷ", "find 1⁄2 2 1 VIII"),
        ("١٢٣ ۴۵۶ ७८९ １２", "123 456 789 12"),
        ("zero\u200bwidth\u2060joined\ufeff", "zerowidthjoined"),
        ("soft\u00adhyphen", "softhyphen"),
        ("right\u202eto\u2066left", "righttoleft"),
        ("nul\x00 bell\x07 delete\x7f", "nul bell delete"),
        ("heart\ufe0f tag\U000e0041", "heart tag"),
        ("cafe\u0301", "café"),
        ("a\u0328\u0301", "ą́".replace("\u0301", "")),
        ("d\u0336a\u0336m\u0336n\u0336", "damn"),
        ("z\u0334\u0335\u0336\u0489algo", "zalgo"),
        ("القَاهِرَة", "القاهرة"),
        ("مديـــنة", "مدينة"),
        ("نمستे", "نمستे"),
        ("नमस्ते", "नमस्ते"),
        ("ﻣﺼﺮ", "مصر"),
        ("ﷺ", "ﷺ"),
        ("İstanbul", "Istanbul"),
        ("I\u0307stanbul", "Istanbul"),
        ("dаmn", "damn"),
        ("АВС is a Cyrillic trick in a Latin text", "ABC is a Cyrillic trick in a Latin text"),
        ("раураl", "paypal"),
        ("Привет, мир", "Привет, мир"),
        ("они ели", "они ели"),
        ("Καλημέρα κόσμε", "Καλημέρα κόσμε"),
        ("Γειά 中文", "Γειά 中文"),
        ("\u0958", "\u0915\u093c"),
        ("\u0915\u093c", "\u0915\u093c"),
        ("ｶﾞ", "ガ"),
        ("！？", "！？"),
        ("\ud800", "\ud800"),
    ],
)
def test_text_is_folded(text, expected):
    assert normal(text).text == expected


@pytest.mark.parametrize(
    ("text", "wanted", "original"),
    [
        ("the damn thing", "damn", "damn"),
        ("the d\u200bamn thing", "damn", "d\u200bamn"),
        ("the \u200bdamn\u200b thing", "damn", "damn"),
        ("the dаmn thing", "damn", "dаmn"),
        ("a cafe\u0301 here", "café", "cafe\u0301"),
        ("z\u0334\u0335\u0336algo", "z", "z\u0334\u0335\u0336"),
        ("to ﬁnd it", "find", "ﬁnd"),
        ("to ﬁnd it", "ind", "ﬁnd"),
        ("١٠ ㌖", "メートル", "㌖"),
        ("هذا مُنتَج", "منتج", "مُنتَج"),
        ("on ２０２４", "2024", "２０２４"),
        ("say “yes”", '"yes"', "“yes”"),
    ],
)
def test_places_lead_back_to_the_text_as_given(text, wanted, original):
    found = normal(text)
    start = found.text.index(wanted)
    begin, end = found.span(start, start + len(wanted))
    assert text[begin:end] == original


@settings(max_examples=400, deadline=None, derandomize=True)
@example("I\u0307")
@example("\u13a0\u0301")
@example("Dа\u0301")
@example("\u0958")
@given(TEXTS)
def test_a_second_time_changes_nothing(text):
    once = normal(text).text
    assert normal(once).text == once


@settings(max_examples=400, deadline=None, derandomize=True)
@given(TEXTS)
def test_each_character_has_a_place(text):
    found = normal(text)
    assert len(found.lower) == len(found.text)
    spans = [found.span(place, place + 1) for place in range(len(found.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    ends = [end for _, end in spans]
    assert ends == sorted(ends)
    empty = [found.span(place, place) for place in range(len(found.text) + 1)]
    assert all(start == end <= len(text) for start, end in empty)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(st.sampled_from("".join(map(chr, [9, 10, 13, *range(32, 127)])))))
def test_printable_ascii_is_left_alone(text):
    found = normal(text)
    assert found.text == text
    assert found.lower == text.lower()
    assert found.span(0, len(text)) == (0, len(text))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(TEXTS)
def test_nothing_invisible_is_left(text):
    left = normal(text).text
    assert not {char for char in left if unicodedata.category(char) in ("Cf", "Zs", "Zl", "Zp")} - {
        " "
    }
    assert not {char for char in left if unicodedata.category(char) == "Cc"} - set("\t\n\r")
    assert {char for char in left if char.isdecimal()} <= set("0123456789")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.characters(categories=["L", "Mn", "Nd"])))
def test_composed_and_decomposed_text_are_the_same(text):
    composed = unicodedata.normalize("NFC", text)
    if all(unicodedata.combining(char) == 0 for char in composed):
        assert normal(composed).text == normal(text).text


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    text=TEXTS, stand_ins=st.dictionaries(st.sampled_from("aе’—\u00a0"), st.sampled_from("aе’ ."))
)
@example(text="ab", stand_ins={"a": "b", "b": "a"})
@example(text="".join(map(chr, range(200, 300))), stand_ins={chr(c): " " for c in range(200, 280)})
def test_exchanging_characters_is_the_same_in_passes_as_at_once(text, stand_ins):
    assert exchange(text, stand_ins) == "".join(stand_ins.get(char, char) for char in text)


@pytest.mark.parametrize(("text", "expected"), [("plain", True), ("“as long”", True), ("ﬁ", False)])
def test_a_text_whose_characters_moved_says_so(text, expected):
    assert normal(text).is_in_place is expected
