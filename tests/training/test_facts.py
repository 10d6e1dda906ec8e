"""Made-up facts: what is labelled as following says the fact with its own values, and no more."""

from random import Random

import pytest
from training.encoder.editor import CONTRADICTED, ENTAILED, NOT_ENTAILED, OPEN
from training.encoder.facts import claims, facts


def chance(seed):
    return Random(seed)  # noqa: S311


MADE = [
    (number, claim)
    for number, fact in enumerate(facts())
    for seed in range(5)
    for claim in claims(fact, chance(f"{number} {seed}"))
]


def test_each_fact_gives_claims_of_all_labels():
    labels = {(number, claim.label) for number, claim in MADE}
    wanted = (ENTAILED, OPEN, CONTRADICTED, NOT_ENTAILED)
    assert labels == {(number, label) for number in range(len(facts())) for label in wanted}


def test_the_fact_stands_in_the_context():
    assert all(claim.said in claim.context for _, claim in MADE)


def test_no_text_is_said_to_follow_and_not_to_follow():
    follows = {(claim.context, claim.text) for _, claim in MADE if claim.label == ENTAILED}
    others = {(claim.context, claim.text) for _, claim in MADE if claim.label != ENTAILED}
    assert not follows & others


@pytest.mark.parametrize("fact", facts(), ids=lambda fact: fact["same"][0])
def test_every_wording_of_a_fact_has_all_its_values(fact):
    for text in fact["same"]:
        assert all("{" + slot + "}" in text for slot in fact["slots"]), text


def test_the_same_chance_gives_the_same_claims():
    fact = facts()[0]
    assert list(claims(fact, chance(7))) == list(claims(fact, chance(7)))
