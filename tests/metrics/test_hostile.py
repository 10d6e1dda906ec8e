"""Many nasty texts through every metric: no failure, no value outside its range, no stray span.

`make fuzz` puts many more of the short ones through them.
"""

import random
from collections import deque
from itertools import repeat

import pytest
from tests.metrics.hostile_texts import GROWING, KINDS, LONG, LONGEST, check, long, short
from tests.work import steps

from assay import registry
from assay.backends import Backends
from assay.core import Document, Sample
from assay.engine import make_plan, score_batch

FAKES = Backends(embedder="fake", token_embedder="fake", classifier="fake")
TIMES, EXPONENT = 4, 1.3
"""A text so many times as long may take TIMES ** EXPONENT times the steps: 6.1, not 16."""
SAMPLES = 240
"""Of each kind of text, 80 of them as the query, the response and the expected answer each."""


@pytest.fixture(scope="module")
def plan():
    return make_plan(registry.select(["all"]), backends=FAKES)


def samples(kind):
    """Samples with one text of the kind; the other two are of any."""
    rng = random.Random(kind)  # noqa: S311 -- the same texts every time
    for index in range(SAMPLES):
        texts = deque([KINDS[kind](rng), short(rng), short(rng)])
        texts.rotate(index)
        query, response, expected = texts
        if rng.random() < 0.2:
            response = query + response
        yield Sample(str(index), query, response, expected, duration=rng.expovariate(0.2))


@pytest.mark.parametrize("kind", KINDS)
def test_short_texts(plan, kind):
    batch = list(samples(kind))
    for sample, scores in zip(batch, score_batch(plan, batch), strict=True):
        check(sample, scores)


@pytest.mark.parametrize(
    ("name", "size"),
    [(name, 30_000) for name in LONG] + [(name, 300_000) for name in LONGEST],
)
def test_long_texts(plan, name, size):
    text = long(LONG[name], size)
    sample = Sample(name, query=text, response=text, expected=text, duration=1.0)
    check(sample, *score_batch(plan, [sample]))


@pytest.mark.parametrize("field", ["query", "expected"])
def test_a_long_text_beside_a_short_one(plan, field):
    given = dict(zip(["query", "response", "expected"], repeat("What is open?")))
    sample = Sample("long", **{**given, field: long("It is open? ", 300_000)}, duration=1.0)
    check(sample, *score_batch(plan, [sample]))


@pytest.mark.parametrize("name", GROWING)
def test_the_work_grows_no_faster_than_the_text(plan, name):
    def work(size):
        text = long(LONG[name], size)
        sample = Sample(name, text, text, text, contexts=(Document(text),), duration=1.0)
        return steps(lambda: score_batch(plan, [sample]))

    work(500)  # builds the tables of the first call
    assert work(TIMES * 3000) < TIMES**EXPONENT * work(3000)
