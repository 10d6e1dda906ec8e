"""Questions that were answered several times, with different verdicts."""

import assay
from assay.store import open_store
from assay.store.questions import MAX_ANSWERS, flaky_questions
from assay.store.run_list import find_run

CHECKS = [{"contains": "Paris"}]


def record(id, *responses):
    return {"id": id, "query": f"{id}?", "responses": responses, "checks": CHECKS}


def test_the_least_consistent_question_comes_first(tmp_path):
    url = f"sqlite:///{tmp_path}/assay.db"
    records = [
        record("steady", "Paris", "Paris"),
        record("rarely", *["Paris"] * 29, "Rome"),
        record("wrong", "Rome", "Rome"),
        record("half", "Paris", "Rome"),
    ]
    assay.evaluate(
        records, ["check.passed"], score_repeats=True, run="r", store=url, embedder="none"
    )
    store = open_store(url)
    run = find_run(store, "r")
    found, total = flaky_questions(store, run, limit=10)
    second, _ = flaky_questions(store, run, limit=1, offset=1)
    store.close()
    assert [(one.question, one.judged, one.passed) for one in found] == [
        ("half", 2, 1),
        ("rarely", 30, 29),
    ]
    assert total == 2
    assert [one.question for one in second] == ["rarely"]
    assert len(second[0].answers) == MAX_ANSWERS
    half = found[0]
    assert half.query == "half?"
    assert [(one.name, one.status, one.response) for one in half.answers] == [
        ("half#1", "passed", "Paris"),
        ("half#2", "failed", "Rome"),
    ]
