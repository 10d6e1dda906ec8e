"""How much of a key a guess gets right tells in no step of its lookup.

Time on a busy machine says little, so what decides it is counted: the calls that are made, and how
far what is compared, the digest, agrees with the right one.
"""

import gc
import random
import statistics
import string
import sys

import pytest

pytest.importorskip("fastapi")
from tests.store.scored import NOON

from assay.server.api_keys import create_key, digest, principal_of
from assay.store import open_store
from assay.store.audit import AuditStamp

ALPHABET = string.ascii_letters + string.digits + "-_"
FIXED = "assay_read_" + ALPHABET[7:50]
ROUNDS = 240
"""Guesses for each number of right characters: more than 10,000 in all."""


@pytest.fixture
def no_collection():
    """What others left behind is not tidied up, and counted, while calls are counted."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    opened = open_store(str(tmp_path_factory.mktemp("keys") / "s.db"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def key(store):
    return create_key(store, "right", "read", AuditStamp("ann", NOON)).key


def guesses(key, rounds):
    """Wrong keys with every number of right characters, with that number."""
    chance = random.Random(19)  # noqa: S311 -- the same guesses every time
    start = key.rindex("_", 0, len("assay_read_")) + 1
    for _ in range(rounds):
        for right in range(len(key) - start):
            place = start + right
            other = chance.choice([char for char in ALPHABET if char != key[place]])
            rest = "".join(chance.choices(ALPHABET, k=len(key) - place - 1))
            yield right, key[:place] + other + rest


def calls_of(store, key):
    """How many functions are called to look a key up."""
    count = 0

    def add(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(add)
    try:
        found = principal_of(store, key, NOON)
    finally:
        sys.setprofile(None)
    return count, found


@pytest.mark.usefixtures("no_collection")
def test_a_guess_takes_the_same_steps_however_much_of_it_is_right(store, key):
    for _ in range(3):  # what is made once is made now
        calls_of(store, FIXED)
    found = [calls_of(store, guess) for _, guess in guesses(key, 3)]
    assert all(who is None for _, who in found)
    assert len({count for count, _ in found}) == 1
    assert principal_of(store, key, NOON) is not None


def test_what_is_compared_agrees_no_further_for_better_guesses():
    right = digest(FIXED)
    tried = [(known, _agreement(digest(guess), right)) for known, guess in guesses(FIXED, ROUNDS)]
    assert len(tried) > 10_000
    correlation = statistics.correlation(*zip(*tried, strict=True))
    assert abs(correlation) * len(tried) ** 0.5 < 2.576  # p > 0.01
    assert max(agreement for _, agreement in tried) < 8


def _agreement(one, other):
    """How many characters are the same from the start."""
    pairs = zip(one, other, strict=True)
    return next(place for place, (a, b) in enumerate(pairs) if a != b)
