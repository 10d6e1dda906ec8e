from dataclasses import replace

import pytest
from tests.store.scored import NOON, make_samples, score, stored_run

from assay.core import DataError, Document
from assay.store.schema import test_id as id_of
from assay.store.tests import (
    TestFilter,
    failure_groups,
    failure_patterns,
    find_test,
    list_tests,
    parse_test_id,
    shown_id,
)


def names(found):
    return [row["test_name"] for row in found[0]]


def test_the_worst_tests_of_a_run_come_first_page_by_page(store):
    samples = make_samples(9)
    writer = stored_run(store, samples)
    scores = {s.id: s.score for s in score(samples)}
    expected = sorted(scores, key=lambda name: (scores[name], int(name.rpartition("-")[2])))
    chosen = TestFilter(run=writer.id)
    pages = [list_tests(store, chosen, limit=4, offset=offset) for offset in (0, 4, 8)]
    assert [name for page in pages for name in names(page)] == expected
    assert {total for _, total in pages} == {9}


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"status": "failed"}, {0, 3}),
        ({"tag": "odd"}, {1, 3}),
        ({"tag": "odd", "status": "failed"}, {3}),
        ({"language": "en"}, {0, 1, 2, 3}),
        ({"language": "ar"}, set()),
        ({"text": "BOB@"}, {0, 3}),
        ({"text": "100%"}, set()),
        ({"text": "_"}, set()),
        ({"text": "sample-2"}, {2}),
        ({"since": NOON + 1}, set()),
        ({"metric": "text.safety"}, {0, 1, 2, 3}),
        ({"metric": "chat.accuracy"}, set()),
        ({"text": "help.PDF"}, {0, 1, 2, 3}),
        ({"text": "content"}, set()),  # the name of a field, not a text
        ({"text": 'THE "LINK"\n'}, set()),
        ({"text": "use THE", "metric": "text.safety"}, {0, 1, 2, 3}),
        ({"fails": "text.safety"}, {0, 3}),
        ({"fails": "text.coherence"}, set()),
        ({"metric": "text.safety", "value": (None, 0.9)}, {0, 3}),
        ({"metric": "text.safety", "value": (0.9, None)}, {1, 2}),
        ({"metric": "text.safety", "quality": (0.95, 1.0)}, {1, 2}),
        ({"metric": "text.safety", "quality": (0.0, 0.9)}, {0, 3}),
    ],
)
def test_filters_leave_only_what_was_asked_for(store, chosen, expected):
    stored_run(store, make_samples(4))
    found, total = list_tests(store, TestFilter(**chosen))
    assert {int(row["test_name"].rpartition("-")[2]) for row in found} == expected
    assert total == len(expected)


def test_what_was_looked_for_is_said_to_stand_somewhere(store):
    stored_run(store, make_samples(1, expected="Use the link", metadata={"note": ["a LINK", 7]}))
    (row,), _ = list_tests(store, TestFilter(text="link"))
    assert row["found_in"] == ["expected", "contexts[0]", "metadata"]
    assert row["fails"] == ["text.safety"]
    (row,), _ = list_tests(store, TestFilter())
    assert row["found_in"] == []


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("name", [0, 1, 2, 3]),
        ("-name", [3, 2, 1, 0]),
        ("duration", [0, 1, 2, 3]),
        ("-duration", [3, 2, 1, 0]),
        ("value", [0, 3, 1, 2]),
        ("-value", [1, 2, 0, 3]),
        ("", [0, 3, 1, 2]),
    ],
)
def test_a_list_is_ordered_as_asked_for(store, order, expected):
    writer = stored_run(store, make_samples(4))
    found = list_tests(store, TestFilter(run=writer.id, metric="text.safety", order=order))
    assert names(found) == [f"sample-{number}" for number in expected]


def test_a_test_is_found_whole(store):
    samples = make_samples(4)
    writer = stored_run(store, samples)
    found = find_test(store, id_of(writer.id, 3))
    assert (found.run, found.status, found.sample) == ("first", "failed", samples[3])
    assert found.scores.to_json() == score(samples)[3].to_json()
    assert found.scores.failure.category == "Validation Failure"
    assert "short_response" not in found.scores.failure.detected_patterns
    assert "failed:text.safety" in found.scores.failure.detected_patterns
    assert find_test(store, id_of(writer.id, 1)).scores.failure is None


def test_an_id_is_16_digits_and_comes_back():
    assert parse_test_id(shown_id(id_of(7, 3))) == id_of(7, 3)
    for wrong in ("", "xyz", "-1", "f" * 17):
        with pytest.raises(DataError, match="is no id of a test"):
            parse_test_id(wrong)


def test_a_test_that_is_not_there_is_named(store):
    with pytest.raises(DataError, match="no test '0000000100000000'"):
        find_test(store, id_of(1, 0))


def test_failures_are_grouped_by_metrics_and_tag(store):
    writer = stored_run(store, make_samples(13))
    groups = failure_groups(store, TestFilter(run=writer.id), 10)
    found = [(group.metrics, group.tag, group.count) for group in groups]
    assert found == [(("text.safety",), "even", 3), (("text.safety",), "odd", 2)]
    assert [test["test_name"] for test in groups[1].tests] == ["sample-3", "sample-9"]
    assert failure_groups(store, TestFilter(run=writer.id), 1) == groups[:1]
    assert failure_groups(store, TestFilter(run=writer.id, tag="none"), 10) == []


def test_words_are_found_in_contexts_of_any_script_and_block(store):
    samples = [
        replace(sample, contexts=(Document(f'Élan "{number}"\nمرحبا'),))
        for number, sample in enumerate(make_samples(40))
    ]
    stored_run(store, samples, size=40)
    for wanted, expected in (("éLAN", 40), ('"37"\n', 1), ("مرحبا", 40), ("contexts", 0)):
        found, total = list_tests(store, TestFilter(text=wanted), limit=50)
        assert (len(found), total) == (expected, expected), wanted
    (found,), _ = list_tests(store, TestFilter(text='"37"'))
    assert (found["test_name"], found["found_in"]) == ("sample-37", ["contexts[0]"])


def test_failures_with_words_are_counted_by_kind(store):
    writer = stored_run(store, make_samples(7))
    every = failure_patterns(store, TestFilter(run=writer.id))
    assert failure_patterns(store, TestFilter(run=writer.id, text="help.pdf")) == every
    (some,) = failure_patterns(store, TestFilter(run=writer.id, text="sample-3"))
    assert (some["count"], some["category"]) == (1, every[0]["category"])
    assert failure_patterns(store, TestFilter(run=writer.id, text="content")) == []


def test_failures_are_counted_by_kind(store):
    writer = stored_run(store, make_samples(7))
    (found,) = failure_patterns(store, TestFilter(run=writer.id))
    assert (found["category"], found["count"]) == ("Validation Failure", 3)
    assert found["recommendations"]
