import pytest

from assay.core.wording import counted, listed


@pytest.mark.parametrize(
    ("names", "last", "expected"),
    [
        ("", " and ", ""),
        ("ab", " and ", "a, b"),
        ("abc", " and ", "a, b, c"),
        ("abcd", " and ", "a, b, c and 1 more"),
        ("abcde", ", ", "a, b, c, 2 more"),
    ],
)
def test_the_first_three_names_and_how_many_more(names, last, expected):
    assert listed(names, 3, last) == expected


def test_an_amount_has_its_noun() -> None:
    assert [counted(n, "pair") for n in (0, 1, 2)] == ["0 pairs", "1 pair", "2 pairs"]
    assert counted(2, "reply", "replies") == "2 replies"
