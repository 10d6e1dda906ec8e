"""Parts of a run, merged in any order, sum up as the whole does."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import Result, Sample, Scores, metric
from assay.core.jsontext import dumps, loads
from assay.core.sample import TARGET_RETRIES
from assay.engine import Tally, make_plan


@metric(id="own.share", inputs=("query",), range=(0, 1), polarity="higher", threshold=0.5)
def share(query):
    return Result(0.0)


@metric(id="own.time", inputs=(), range=(0, None), polarity="lower", unit="s")
def time(response):
    return Result(0.0)


PLAN = make_plan([share, time])
UNIT = st.floats(0, 1)


def judged(value, calibrated, state="ok"):
    verdict = "pass" if value >= 0.5 else "fail"
    details = {"calibrated": True} if calibrated else {}
    return Result(
        value,
        "Why.",
        (),
        details,
        state,
        value >= 0.5,
        "own.share",
        value,
        0.5,
        "",
        verdict,
        True,
    )


RESULTS = st.one_of(
    st.builds(judged, UNIT, st.booleans()),
    st.builds(judged, UNIT, st.just(False), st.just("imputed")),
    st.builds(Result.missing, st.sampled_from(["The sample has no 'query'.", "Why."])),
    st.builds(Result.error, st.sampled_from(["ValueError: x", "KeyError: 'y'"])),
)
PROBLEMS = st.sampled_from(["a.parquet, row {}: no text", "a.parquet, row {}: no id", "lost"])
RECORDS = st.lists(
    st.one_of(
        st.tuples(RESULTS, st.floats(0, 1e100), st.sampled_from([1.0, 1.0, 0.1, 3.0])), PROBLEMS
    ),
    max_size=40,
)
CUTS = st.lists(st.integers(0, 40), max_size=5)
checked = settings(max_examples=150, deadline=None, derandomize=True)


def tally_of(records, first=0, **options):
    tally = Tally(PLAN, first=first, **options)
    for place, record in enumerate(records, first):
        if isinstance(record, str):
            tally.add_unread(record.format(place + 1))
            continue
        result, seconds, weight = record
        retries = {TARGET_RETRIES: 1} if place % 3 == 0 else {}
        sample = Sample(f"s{place}", query="Why?", metadata={"weight": weight, **retries})
        score = result.quality if result.state == "ok" else None
        passed = result.passed if result.state == "ok" else None
        results = {"own.share": result, "own.time": Result(seconds, metric="own.time")}
        tally.add(sample, Scores(sample.id, results, score, passed))
    return tally


def sent(tally):
    """The tally as another program gets it."""
    result = Tally(PLAN, include_imputed=True, seed=3)
    result.load(loads(dumps(tally.to_json())))
    return result


@checked
@given(RECORDS, CUTS, st.randoms(use_true_random=False))
def test_any_split_and_order_gives_the_same_summary(records, cuts, rng):
    options = {"include_imputed": True, "seed": 3}
    ends = [0, *sorted(min(cut, len(records)) for cut in cuts), len(records)]
    parts = [
        tally_of(records[start:end], start, **options) for start, end in itertools.pairwise(ends)
    ]
    rng.shuffle(parts)
    merged = sent(parts[0])
    for part in parts[1:]:
        merged.merge(sent(part))
    assert merged.summary() == tally_of(records, **options).summary()


def test_groups_of_a_large_run_follow_the_place_of_a_record():
    records = [(judged((7 * n % 1009) / 1009, False), n / 7, 1.0) for n in range(2500)]
    records[10] = "a.parquet, row {}: no text"
    whole = tally_of(records).summary()
    merged = tally_of(records[1700:], 1700)
    merged.merge(tally_of(records[:900]))
    merged.merge(tally_of(records[900:1700], 900))
    assert merged.summary() == whole
    assert whole.overall_interval.low < whole.overall < whole.overall_interval.high


def test_the_first_places_of_a_problem_are_named_whatever_comes_first():
    problem = "a.parquet, row {}: no text"
    merged = tally_of([problem] * 3, 50)
    merged.merge(tally_of([problem] * 2))
    assert merged.summary().problems == ("a.parquet, rows 1, 2, 51 and 2 more: no text",)


def test_more_reasons_than_are_listed_are_counted():
    merged = tally_of([f"reason {n}" for n in range(15)])
    merged.merge(tally_of([f"other {n}" for n in range(15)], 15))
    problems = merged.summary().problems
    assert len(problems) == 21
    assert problems[:2] == ("reason 0", "reason 1")
    assert problems[-1] == "… and 10 more with other reasons"
