"""The temperature makes the logits of held-out records as sure as they are right."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
from training.encoder.temperatures import binary, likeliest


@pytest.mark.parametrize("true", [0.7, 1.0, 2.5])
def test_it_finds_how_much_too_sure_the_logits_are(true):
    chance = np.random.default_rng(1)
    logits = chance.normal(0, 2, 40_000)
    labels = chance.random(40_000) < 1 / (1 + np.exp(-logits))
    found = likeliest(logits * true, labels, np.zeros(40_000))
    assert found == pytest.approx(true, rel=0.05)


def test_a_large_source_counts_no_more_than_a_small_one():
    chance = np.random.default_rng(2)
    logits = chance.normal(0, 2, 22_000)
    labels = chance.random(22_000) < 1 / (1 + np.exp(-logits))
    sources = np.where(np.arange(22_000) < 20_000, 0, 1)
    logits[sources == 1] *= 3
    found = likeliest(logits, labels, sources)
    assert found > likeliest(logits[sources == 0], labels[sources == 0], sources[sources == 0])
    assert 1.3 < found < 3


def test_support_is_entailed_against_the_rest():
    assert binary("support", np.log(np.array([[6.0, 1.0, 2.0]])))[0] == pytest.approx(np.log(2))
