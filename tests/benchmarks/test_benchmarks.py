import pytest
from benchmarks.__main__ import SECTIONS, run
from benchmarks.compare import disagreements
from benchmarks.generate import (
    arabic_records,
    passage_records,
    records,
    samples,
    small_records,
    texts,
)
from benchmarks.measure import TINY
from benchmarks.patterns import lexicons

from assay.runner import Job
from benchmarks import naive


@pytest.mark.parametrize(
    ("make", "seed"), [(records, 5), (records, 10), (small_records, 5), (arabic_records, 5)]
)
def test_engine_and_rules_one_by_one_say_the_same(make, seed):
    found = samples(make(200, seed=seed))
    assert disagreements(Job(("text",)).plan(), found, naive.score) == []


def test_same_seed_gives_same_records():
    assert list(records(3)) == list(records(3))
    assert list(records(3)) != list(records(3, seed=8))
    assert list(passage_records(3)) == list(passage_records(3))


def test_answers_on_a_passage_are_short():
    lengths = [
        (len(record["response"].split()), len(record["contexts"][0].split()))
        for record in passage_records(50, passage=240)
    ]
    assert max(answer for answer, _ in lengths) < 100
    assert min(passage for _, passage in lengths) > 150


def test_about_one_text_in_eleven_goes_beyond_ascii():
    assert 0.04 < sum(not text.isascii() for text in texts(500)) / 500 < 0.16


def test_patterns_are_many():
    assert len(lexicons()) == 40
    assert sum(len(group.patterns) for group in lexicons()) == 370


@pytest.mark.parametrize("section", SECTIONS)
def test_section_runs(section):
    report = run(TINY, [section])
    assert "\nMeasured on 20" in report
    assert "| What | Measured | Goal | Verdict |" in report
    assert report.endswith("goals hold.\n")


def test_a_section_that_is_measured_again_leaves_the_others_as_they_are():
    kept = "## Old\n\nA note.\n\n| What | Verdict |\n| --- | --- |\n| a | holds |\n"
    earlier = f"# Benchmark results\n\n{kept}\n1 of 1 goals hold.\n"
    assert kept in run(TINY, [], earlier)
    assert run(TINY, [], run(TINY, [], earlier)) == run(TINY, [], earlier)
    assert run(TINY, [], earlier).endswith("1 of 1 goals hold.\n")
