import pytest

from assay.textproc.bleu import bleu_score


def test_parts_of_the_score():
    found = bleu_score(list("abcd"), list("abce"))
    assert found.matches == (3, 2, 1, 0)
    assert found.totals == (4, 3, 2, 1)
    assert found.brevity == 1
    assert found.score == pytest.approx((3 / 4 * 2 / 3 * 1 / 2 * 0.1) ** 0.25)


@pytest.mark.parametrize(
    ("reference", "candidate"), [("", ""), ("a", ""), ("", "a"), ("a b c d", "e f g h")]
)
def test_nothing_shared_is_0(reference, candidate):
    assert bleu_score(reference.split(), candidate.split()).score == 0


def test_stretches_are_shared_as_often_as_they_stand_in_both():
    assert bleu_score(list("abab"), list("ababab")).matches == (4, 3, 2, 1)
