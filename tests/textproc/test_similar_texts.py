"""Texts are grouped by the words that they share."""

import pytest

from assay.textproc.similar_texts import KINDS, similar_texts


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], []),
        (["A late book costs 20 cents."], [[0]]),
        (
            [
                "Call the desk.",
                "A late book costs 20 cents.",
                "A late book costs 2 euros.",
                "A late book costs 20 CENTS!",
            ],
            [[1, 2, 3], [0]],
        ),
        (["", "", "words"], [[0, 1], [2]]),
        (
            ["نعم، توجد كتب باللغة العربية.", "لا توجد كتب باللغة العربية.", "اتصل بالمكتبة."],
            [[0, 1], [2]],
        ),
        (["one two three", "four five six", "one two three"], [[0, 2], [1]]),
    ],
    ids=["none", "one", "largest first", "empty", "Arabic", "order of the texts"],
)
def test_texts_that_share_their_words_stand_together(texts, expected):
    assert similar_texts(texts) == expected


def test_many_kinds_of_text_stay_apart():
    texts = [f"w{place} x{place} y{place}" for place in range(KINDS + 5)]
    assert similar_texts([*texts, texts[0], texts[-1]])[0] == [0, KINDS + 5]
    assert len(similar_texts([*texts, texts[0], texts[-1]])) == KINDS + 6
