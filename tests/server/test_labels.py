"""Verdicts of people: given, agreed on, queued, and turned into a threshold."""

import json

import pytest
from tests.server.test_jobs import finished, start

from assay.store.labels import majority, queue_tests
from assay.store.tests import parse_test_id

METRIC = "answer.similarity"
GOOD = "The store opens at 9 AM and closes at 6 PM."


@pytest.fixture
def run(client):
    """A run of forty answers, every second of them wrong."""
    samples = [
        {
            "id": f"s{n:02}",
            "query": f"When does store {n} open?",
            "response": GOOD if n % 2 else f"Blue whales eat krill, number {n}.",
            "expected": GOOD,
        }
        for n in range(40)
    ]
    job = start(client, samples=samples, run="r", metrics=[METRIC])
    assert finished(client, job)["status"] == "done"
    items = client.get("/v1/tests", params={"run": "r", "order": "name", "limit": 100}).json()
    client.ids = {test["test_name"]: test["test_id"] for test in items["items"]}
    return client


def label(client, name, word, rater="anna", note=""):
    body = {"label": word, "rater": rater, "note": note}
    answer = client.call("PUT", f"/v1/tests/{client.ids[name]}/label", role="write", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def label_all(client, count=40, rater="anna"):
    for n in range(count):
        label(client, f"s{n:02}", "pass" if n % 2 else "fail", rater)


@pytest.mark.parametrize(
    ("said", "expected"),
    [([], None), (["pass"], "pass"), (["pass", "fail"], None), (["fail", "fail", "pass"], "fail")],
)
def test_most_people_decide(said, expected):
    assert majority(said) == expected


def test_a_label_is_kept_replaced_and_taken_back(run):
    assert label(run, "s01", "pass", note="fine")[0]["note"] == "fine"
    label(run, "s01", "fail", rater="ben")
    both = label(run, "s01", "fail")
    assert [(one["rater"], one["label"]) for one in both] == [("anna", "fail"), ("ben", "fail")]
    assert len(label(run, "s01", None)) == 1
    test = run.ids["s01"]
    assert [one["rater"] for one in run.get(f"/v1/tests/{test}/labels").json()] == ["ben"]
    own = run.call("PUT", f"/v1/tests/{test}/label", role="write", json={"label": "pass"})
    assert own.json()[-1]["rater"] == "write-key"
    wrong = run.call("PUT", f"/v1/tests/{test}/label", role="write", json={"label": "good"})
    assert wrong.status_code == 422
    assert run.get("/v1/tests/00000000000000ff/labels").status_code == 404


def test_raters_are_compared(run):
    for n in range(10):
        label(run, f"s{n:02}", "pass" if n % 2 else "fail")
        label(run, f"s{n:02}", "pass" if n % 2 or n == 0 else "fail", rater="ben")
    report = run.get("/v1/runs/r/labels").json()
    assert (report["samples"], report["good"], report["bad"], report["disputed"]) == (10, 5, 4, 1)
    assert [(one["rater"], one["agreement"]) for one in report["raters"]] == [
        ("anna", 0.9),
        ("ben", 0.9),
    ]
    assert report["kappa"]["low"] < report["kappa"]["value"] == pytest.approx(0.798, abs=0.01)


def test_the_queue_draws_what_is_not_labelled_and_stops_when_it_is_enough(run):
    first = run.get("/v1/runs/r/queue", params={"metric": METRIC, "rater": "anna"}).json()
    assert (len(first["items"]), first["left"], first["is_enough"]) == (10, 40, False)
    name = first["items"][0]["test"]["test_name"]
    label(run, name, "pass")
    second = run.get("/v1/runs/r/queue", params={"metric": METRIC, "rater": "anna"}).json()
    assert name not in [item["test"]["test_name"] for item in second["items"]]
    other = run.get("/v1/runs/r/queue", params={"metric": METRIC, "rater": "ben"}).json()
    assert other["left"] == 40
    label_all(run)
    done = run.get("/v1/runs/r/queue", params={"metric": METRIC, "rater": "anna"}).json()
    assert (done["left"], done["is_enough"]) == (0, True)
    assert done["agreement"]["low"] > 0.8


def test_escalated_samples_come_first(run):
    test = parse_test_id(run.ids["s07"])
    assert queue_tests(run.store, {test: "two judges disagree"}, run.now) == 1
    assert queue_tests(run.store, {test: "again"}, run.now) == 0
    queue = run.get("/v1/runs/r/queue", params={"metric": METRIC}).json()
    assert queue["items"][0]["reason"] == "two judges disagree"
    assert queue["items"][0]["test"]["test_name"] == "s07"
    label(run, "s07", "pass")
    queue = run.get("/v1/runs/r/queue", params={"metric": METRIC}).json()
    assert queue["items"][0]["reason"] != "two judges disagree"


def test_labels_become_a_threshold(run):
    path, params = "/v1/runs/r/calibration", {"metric": METRIC}
    assert run.get(path, params=params).json()["problem"]
    label_all(run, 20)
    found = run.get(path, params=params).json()
    assert (found["problem"], found["labelled"]) == ("", 20)
    assert found["auroc"]["value"] == 1.0
    values = run.get("/v1/runs/r/values", params=params).json()
    said = list(zip(values["values"], values["labels"], strict=True))
    passing = [value for value, word in said if word == "pass"]
    failing = [value for value, word in said if word == "fail"]
    assert max(failing) < found["threshold"] <= min(passing)
    assert run.get(path, params={"metric": "text.safety"}).status_code == 404


def test_labels_come_out_as_lines_that_calibrate_reads(run, tmp_path):
    from assay.runner.ratings import read_labels

    label_all(run, 6)
    label(run, "s00", "pass", rater="ben")
    text = run.get("/v1/runs/r/labels.jsonl").text
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0]["labels"] == {"anna": "fail", "ben": "pass"}
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    found = read_labels(str(path), "label")
    assert found == {"s01": "pass", "s02": "fail", "s03": "pass", "s04": "fail", "s05": "pass"}
