"""Rules and encoder as one value."""

from dataclasses import replace

import pytest

from assay.features.encoded import EncoderReading
from assay.linear import Combiner
from assay.linear.models import logistic
from assay.scoring.combination import joint

COMBINER = Combiner(0.0, {"rules": 1.0, "model": 1.0}, 0.5, (0.3, 0.8), is_calibrated=True)


@pytest.mark.parametrize(
    ("rules", "logit", "unsure"),
    [
        (0.6, 0.1, None),
        (0.4, -0.1, None),
        (0.6, -0.1, (0.3, 0.8)),
        (0.4, 0.6, (0.3, 0.8)),
    ],
)
def test_what_both_say_by_themselves_is_not_unsure(rules, logit, unsure):
    value = joint(rules, 0.5, EncoderReading("encoder", logit, COMBINER))
    assert value.result("It is.", ()).unsure == unsure


def test_a_guess_of_the_rules_agrees_with_nobody():
    assert not joint(0.6, 0.5, EncoderReading("encoder", 0.1, COMBINER), is_guess=True).is_agreed


def test_the_rules_are_held_against_their_own_threshold():
    value = joint(0.4, 0.3, EncoderReading("encoder", 1.0, COMBINER))
    assert value.is_agreed


def test_the_rules_alone_agree_with_nobody():
    assert not joint(0.9, 0.5, None).is_agreed


def test_rules_count_within_their_bound():
    bounded = replace(COMBINER, rules_most=1.0)
    value = joint(0.99, 0.5, EncoderReading("encoder", 0.0, bounded)).value
    assert value == pytest.approx(logistic(1.0))


def test_measures_of_the_rules_are_weighed_by_themselves():
    combiner = replace(COMBINER, weights={"rules": 0.0, "model": 0.0, "kind": 2.0})
    value = joint(0.9, 0.5, EncoderReading("encoder", 3.0, combiner), kind=-1.0).value
    assert value == pytest.approx(logistic(-2.0))
