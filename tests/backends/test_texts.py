import pytest

from assay.backends.texts import encodable, is_blank, pieces, unread_script


@pytest.mark.parametrize(
    ("text", "languages", "script"),
    [
        ("plain English", ("en",), ""),
        ("café naïve", ("en",), ""),
        ("ارتفعت أسعار النفط", ("en",), "Arabic"),
        ("ارتفعت أسعار النفط", ("ar",), ""),
        ("Oil is النفط in the Arabic of every newspaper", ("en",), ""),
        ("Oil النفط price أسعار", ("en",), "Arabic"),
        ("the angles α and β are equal", ("en",), ""),
        ("한국어 문장", ("en", "ko"), ""),
        ("한국어 문장", ("en", "ru"), "Hangul"),
        ("١٢٣ 😀 !!", ("en",), ""),
        ("𝐛𝐨𝐥𝐝 letters", ("en",), ""),
        ("नमस्ते", (), ""),
    ],
)
def test_a_text_is_unread_for_the_script_of_many_of_its_letters(text, languages, script):
    assert unread_script(text, languages) == script


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000"])
def test_blank(text):
    assert is_blank(text)


def test_lone_surrogates_are_replaced():
    assert encodable("a\ud800b") == "a\ufffdb"
    assert encodable("\ud83d\ude00") == "😀"
    assert encodable("نص") == "نص"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("abc", ["abc"]),
        ("ab cd ef", ["ab cd", " ef"]),
        ("abcdefgh", ["abcde", "fgh"]),
        ("ab\ncdefgh", ["ab", "\ncdef", "gh"]),
    ],
)
def test_pieces_end_at_a_blank_where_there_is_one(text, expected):
    assert list(pieces(text, 5)) == expected
