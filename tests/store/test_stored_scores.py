from tests.store.scored import UNREADABLE, make_samples, score, stored_run

from assay.runner.sides import StoredSide
from assay.store.run_list import find_run
from assay.store.stored_scores import read_values, read_whole


def test_the_scores_of_a_run_come_without_texts(store, monkeypatch):
    monkeypatch.setattr("assay.store.stored_scores.CHUNK", 4)
    items = [*make_samples(5), UNREADABLE, *make_samples(12)[5:]]
    stored_run(store, items)
    stored_run(store, make_samples(3), name="second")
    found = list(read_values(store, find_run(store, "first")))
    assert [row.name for row in found] == [f"sample-{place}" for place in range(12)]
    assert {row.query for row in found} == {None}
    for row, scores in zip(found, score(items), strict=True):
        assert row.values == {
            id: (result.value, result.passed)
            for id, result in scores.results.items()
            if result.state == "ok"
        }
        assert (row.score, row.passed) == (scores.score, scores.passed)


def test_queries_come_when_they_are_asked_for(store):
    stored_run(store, make_samples(2))
    found = read_values(store, find_run(store, "first"), with_query=True)
    assert [row.query for row in found] == ["How do I reset my password?"] * 2


def test_some_tests_can_be_read_whole(store):
    samples = make_samples(6)
    stored_run(store, samples)
    run = find_run(store, "first")
    ids = [row.test_id for row in read_values(store, run)]
    found = read_whole(store, run, [ids[4], ids[1]])
    assert [sample for sample, _ in found.values()] == [samples[4], samples[1]]


def test_a_stored_run_is_a_side_of_a_comparison(store):
    samples = make_samples(6)
    stored_run(store, samples)
    side = StoredSide(store, find_run(store, "first"))
    assert [row.key for row in side.read("id")] == [sample.id for sample in samples]
    assert {row.key for row in side.read("query")} == {"How do I reset my password?"}
    shown = side.show([3])[3]
    assert (shown.id, shown.response) == ("sample-3", samples[3].response)
    assert shown.explanations["text.safety"]
    assert side.notes == ["Run 'first' is not finished; what it has so far is compared."]
    assert side.signatures["text.safety"].startswith("text.safety|")
