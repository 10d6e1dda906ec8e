"""What the routes answer, on stored runs, in both databases."""

import csv
import io
import json
from time import time

import pytest
from tests.server.client import MOMENT, Client
from tests.store.scored import HOUR, RUN_PLAN, UNREADABLE, make_samples, score, stored_run

from assay import registry
from assay.core import Sample
from assay.core.jsontext import MAX_DEPTH
from assay.data.metric_targets import board
from assay.server.schemas.tests import TestDetail
from assay.store.run_list import find_run, list_runs
from assay.store.run_writer import RunPlan, RunWriter, start_run
from assay.store.statistics import StatisticsFilter, statistics

NOON = MOMENT - 60
HOSTILE = "=cmd|' /C calc'!A0 \ud800 \0 <script>alert(1)</script> \u202e"


JUDGE = {
    **dict.fromkeys(("calls", "cached", "prompt_tokens", "completion_tokens"), 7),
    "is_usage_estimated": False,
    "usd": None,
}


def summary(samples, scores):
    return {
        "samples": len(samples),
        "unread": 0,
        "problems": [],
        "overall": 0.5,
        "overall_interval": [0.4, 0.6],
        "pass_rate": 0.5,
        "pass_rate_interval": [0.2, 0.8],
        "passed": sum(bool(s.passed) for s in scores),
        "judged": len(samples),
        "metrics": {
            "text.safety": {
                **dict.fromkeys(("samples", "scored", "passed", "judged"), len(samples)),
                **dict.fromkeys(("missing", "imputed", "errors"), 0),
                **dict.fromkeys(("mean", "weighted_mean", "minimum", "maximum"), 0.9),
                **{name: [0.8, 1.0] for name in ("mean_interval", "weighted_mean_interval")},
                "pass_rate": 1.0,
                "pass_rate_interval": [0.7, 1.0],
                "threshold": 0.9,
                "signature": "text.safety|v:1",
                "distribution": [0] * 20,
                "reasons": {},
            }
        },
        "judge": JUDGE,
    }


@pytest.fixture
def stored(any_client):
    """A server with a finished run of 12 samples and a running one of 5, an hour older."""
    samples = make_samples(12)
    stored_run(any_client.store, samples, "first", NOON).finish(summary(samples, score(samples)))
    stored_run(any_client.store, [*make_samples(5), UNREADABLE], "second", NOON - HOUR)
    return any_client


def test_health_says_that_it_is_up_and_nothing_else(any_client):
    for path in ("/health", "/v1/health"):
        assert any_client.call("GET", path).json() == {"status": "ok"}


def test_statistics_are_those_of_the_store(stored):
    for path in ("/v1/statistics", "/api/statistics"):
        found = stored.get(path).json()
        system = found.pop("system_metrics")
        assert system["memory"] > 0
        low, high = found.pop("pass_rate_interval")
        assert 0 < low < found["pass_rate"] < high < 1
        expected = statistics(stored.store, StatisticsFilter(), MOMENT)
        assert (low, high) == expected.pop("pass_rate_interval")
        reasons = [figures.pop("reason") for figures in found["validation_metrics"].values()]
        assert set(reasons) == {None}
        assert found == expected
    assert stored.get("/v1/statistics?hours=1").json()["total_tests"] == 12
    assert stored.get("/v1/statistics?run=second&hours=1").json()["total_tests"] == 0
    assert stored.get("/v1/statistics?tag=even").json()["total_tests"] == 9
    assert stored.get("/v1/statistics?run=none").status_code == 404


def test_trends_and_series_go_by_hour(stored):
    for path in ("/v1/trends", "/api/trends"):
        buckets = stored.get(path).json()["timeseries"]
        assert [bucket["total"] for bucket in buckets] == [5, 12]
    series = stored.get("/v1/series/text.safety").json()
    assert [bucket["count"] for bucket in series] == [5, 12]
    assert stored.get("/v1/series/text.safety?run=second").json() == series[:1]
    assert stored.get("/v1/series/no.metric").json() == []


def test_current_and_history(stored):
    for path in ("/v1/current", "/api/metrics/current?hours=1"):
        assert "text.safety" in stored.get(path).json()["metrics"]
    for path in ("/v1/history/text", "/api/metrics/history/text"):
        (snapshot,) = stored.get(path).json()
        assert (snapshot["metric_name"], snapshot["value"]) == ("text.safety", 0.9)
    assert stored.get("/v1/history/text?model=other").json() == []


def test_the_overview_has_all_of_the_first_page(stored):
    found = stored.get("/v1/overview?hours=24").json()
    assert found["statistics"]["total_tests"] == 17
    default = board().shown(board().targets, {})  # none of them was scored
    assert [card["metric"] for card in found["critical"]["metrics"]] == default
    first = found["critical"]["metrics"][0]
    assert first["value"] is None
    assert first["reason"].startswith("Not scored in this period; it needs ")
    assert [category["name"] for category in found["categories"]] == list(board().categories)
    assert len(found["radar"]) == 6
    assert stored.get("/v1/critical").json() == stored.get("/v1/overview").json()["critical"]
    assert stored.get("/v1/categories").json() == stored.get("/v1/overview").json()["categories"]


def test_targets_are_chosen_and_reset(stored):
    assert stored.get("/v1/targets").json()["version"] == 0

    def put(targets, role="write"):
        return stored.call("PUT", "/v1/targets", role=role, json={"targets": targets})

    assert put({"text.safety": 1.0, "chat.ttft": 250}).json()["version"] == 1
    cards = stored.get("/v1/overview").json()["critical"]["metrics"]
    assert [(card["metric"], card["target"]) for card in cards] == [
        ("text.safety", 1.0),
        ("chat.ttft", 250.0),
    ]
    assert 0 < cards[0]["ratio"] < 1
    assert cards[0]["count"] == 17
    for wrong in ({}, {"no.metric": 1}, {f"x{n}": 1 for n in range(101)}):
        assert put(wrong).status_code == 400
    for wrong in ({"chat.ttft": "much"}, {"chat.ttft": None}, []):
        assert put(wrong).status_code == 422
    assert put({"text.safety": 1.0}, role="read").status_code == 403
    for _ in range(2):
        answer = stored.call("DELETE", "/v1/targets", role="write").json()
        assert answer["targets"] == dict(board().targets)


def test_tests_are_listed_filtered_and_paged(stored):
    page = stored.get("/v1/tests?run=first&limit=5").json()
    assert (page["total"], page["limit"], len(page["items"])) == (12, 5, 5)
    scores = [test["score"] for test in page["items"]]
    assert scores == sorted(scores)
    rest = stored.get("/v1/tests?run=first&limit=100&offset=5").json()["items"]
    assert len({test["test_id"] for test in [*page["items"], *rest]}) == 12
    assert stored.get("/v1/tests?hours=1").json()["total"] == 12
    assert stored.get("/v1/tests?status=passed&run=first").json()["total"] == 8
    assert stored.get("/v1/tests?tag=odd").json()["total"] == 8
    assert stored.get("/v1/tests?text=100%25").json()["total"] == 0
    assert stored.get("/v1/tests?text=LINK, please").json()["total"] == 11
    by_metric = stored.get("/v1/tests?metric=text.safety&limit=1").json()["items"][0]
    assert by_metric["state"] == "ok"
    assert by_metric["explanation"]
    assert stored.get("/v1/tests?limit=0").status_code == 422
    assert stored.get("/v1/tests?limit=1001").status_code == 422
    assert stored.get("/v1/tests?status=other").status_code == 422
    assert stored.get("/v1/tests?text=%00").status_code == 400


def test_failed_tests_say_why(stored):
    for prefix in ("/v1", "/api"):
        page = stored.get(f"{prefix}/tests/failed?run=first").json()
        assert {test["status"] for test in page["items"]} == {"failed"}
        (id, *_) = (test["test_id"] for test in page["items"])
        detail = stored.get(f"{prefix}/tests/failed/{id}/details").json()
        assert detail == stored.get(f"/v1/tests/{id}").json()
        assert detail["failure"]["recommendations"]
        assert detail["results"]["text.safety"]["passed"] is False
        spans = detail["results"]["text.safety"]["evidence"]
        texts = [detail["sample"][s["field"]][s["start"] : s["end"]] for s in spans]
        assert "bob@example.com" in texts
        patterns = stored.get(f"{prefix}/tests/failed/patterns").json()
        assert sum(pattern["count"] for pattern in patterns) == 6


@pytest.mark.parametrize("id", ["0000000000000000", "x", "-1", "f" * 16, "9" * 99, "%F0%9F%98%80"])
def test_there_is_no_such_test(any_client, id):
    assert any_client.get(f"/v1/tests/{id}").status_code == 404


def test_runs_are_listed_the_newest_first(stored):
    page = stored.get("/v1/runs").json()
    assert [run["name"] for run in page["items"]] == ["first", "second"]
    assert page["total"] == 2
    assert stored.get("/v1/runs?limit=1&offset=1").json()["items"][0]["name"] == "second"


def test_a_run_has_its_groups_and_metrics(stored):
    run = stored.get("/v1/runs/first").json()
    assert run["judge"] == JUDGE
    assert stored.get("/v1/runs/second").json()["judge"] is None
    assert (run["status"], run["tests"]) == ("finished", 12)
    assert {group["name"]: group["total"] for group in run["tag_groups"]} == {"even": 6, "odd": 6}
    assert [group["name"] for group in run["language_groups"]] == ["en"]
    (metric,) = stored.get("/v1/runs/first/metrics").json()
    assert (metric["mean"], metric["mean_interval"]) == (0.9, [0.8, 1.0])


def test_a_running_run_says_what_it_has_so_far(stored):
    run = stored.get("/v1/runs/second").json()
    assert (run["status"], run["tests"], run["unread"], run["overall"]) == ("running", 5, 1, None)
    metrics = {metric["metric"]: metric for metric in stored.get("/v1/runs/second/metrics").json()}
    safety = metrics["text.safety"]
    assert safety["scored"] == 5
    assert 0 <= safety["mean_interval"][0] <= safety["mean"] <= safety["mean_interval"][1] <= 1


def test_the_folder_of_a_file_is_not_told(any_client):
    start_run(any_client.store, "a/b", RUN_PLAN, source="/home/me/answers.jsonl")
    assert any_client.get("/v1/runs/a/b").json()["source"] == "answers.jsonl"
    assert any_client.get("/v1/runs/a%2Fb").json()["name"] == "a/b"


def test_a_run_is_downloaded_in_every_format(stored):
    lines = stored.get("/v1/runs/first/export")
    assert lines.headers["content-disposition"].startswith('attachment; filename="first.jsonl"')
    assert [json.loads(line)["id"] for line in lines.text.splitlines()] == [
        f"sample-{number}" for number in range(12)
    ]
    document = stored.get("/v1/runs/first/export?format=json").json()
    assert len(document["samples"]) == 12
    rows = list(csv.DictReader(io.StringIO(stored.get("/v1/runs/first/export?format=csv").text)))
    assert len(rows) == 12
    whole = stored.get("/v1/runs/second/export?format=run").text.splitlines()
    assert json.loads(whole[0])["name"] == "second"
    assert len(whole) == 7
    assert stored.get("/v1/runs/second/export").status_code == 400
    assert stored.get("/v1/runs/first/export?format=xlsx").status_code == 422


def test_hostile_text_is_data_everywhere(any_client):
    sample = Sample(
        id=HOSTILE, query=HOSTILE, response=HOSTILE, tags=(HOSTILE,), metadata={HOSTILE: HOSTILE}
    )
    writer = stored_run(any_client.store, [sample], "=1+1", NOON)
    writer.finish(summary([sample], score([sample])))
    answer = any_client.get("/v1/runs/=1+1/export?format=csv")
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert row["id"].startswith("'=cmd")
    name = answer.headers["content-disposition"]
    assert name.startswith('attachment; filename="_1_1.csv"')
    (test,) = any_client.get("/v1/tests").json()["items"]
    assert "<script>" in test["response"]
    detail = any_client.get(f"/v1/tests/{test['test_id']}")
    assert detail.headers["content-type"] == "application/json"
    found = detail.json()["sample"]
    assert found["response"] == HOSTILE.replace("\ud800", "\ufffd")
    assert list(found["metadata"]) == [found["response"]]
    for path in ("/v1/runs/=1+1", "/v1/tests/failed/patterns", "/v1/overview", "/metrics"):
        assert any_client.get(path).status_code == 200


def test_a_run_is_removed_by_an_admin_alone(stored):
    assert stored.call("DELETE", "/v1/runs/first", role="write").status_code == 403
    assert stored.call("DELETE", "/v1/runs/first", role="admin").status_code == 204
    assert [run.name for run in list_runs(stored.store)] == ["second"]
    assert stored.call("DELETE", "/v1/runs/first", role="admin").status_code == 404
    assert stored.get("/v1/runs/first").status_code == 404


def test_runs_are_compared(stored):
    found = stored.get("/v1/compare?a=first&b=second").json()
    assert (found["pairs"], found["only_a"]) == (5, 7)
    assert {change["verdict"] for change in found["metrics"]} == {"too few samples"}
    assert found["notes"]
    assert stored.get("/v1/compare?a=first&b=none").status_code == 404
    assert stored.get("/v1/compare?a=first").status_code == 422
    assert stored.get("/v1/compare?a=first&b=second&metrics=chat.none").status_code == 400


@pytest.mark.parametrize(
    ("status", "passed"), [("passed", True), ("failed", False), ("skipped", None)]
)
def test_a_collected_test_keeps_the_outcome_that_it_reports(any_client, status, passed):
    test = {
        "test_name": "greeting",
        "status": status,
        "duration": 1.5,
        "error_message": "too slow",
        "query": "How do I reset my password?",
        "actual_response": "Write to bob@example.com.",
    }
    answer = any_client.post("/api/collect/test?metrics=text.safety", json=test)
    assert answer.status_code == 201, answer.text
    assert answer.json()["passed"] is passed
    (found,) = any_client.get("/v1/tests?run=collected").json()["items"]
    kept = {name: found[name] for name in ("test_name", "status", "duration", "error_message")}
    assert kept == {name: test[name] for name in kept}


def test_a_skipped_test_needs_no_texts_and_a_wrong_outcome_is_refused(any_client):
    body = {"test_name": "later", "status": "skipped"}
    assert any_client.post("/v1/collect?metrics=text.safety", json=body).status_code == 201
    body = {"test_name": "later", "status": "green", "response": "Yes."}
    refused = any_client.post("/v1/collect?metrics=text.safety", json=body)
    assert refused.status_code == 400
    assert "expected passed, failed or skipped" in refused.text


def test_tests_are_collected_as_they_happen(any_client):
    test = {
        "test_name": "greeting",
        "question": "How do I reset my password?",
        "actual_response": "Write to bob@example.com, 123-45-6789.",
        "duration": 1.5,
    }
    for number, path in enumerate(("/v1/collect", "/api/collect/test"), 1):
        answer = any_client.post(f"{path}?metrics=text.safety", json=test)
        assert answer.status_code == 201, answer.text
        detail = any_client.get(f"/v1/tests/{answer.json()['test_id']}").json()
        assert (detail["run"], detail["status"]) == ("collected", "failed")
        assert any_client.get("/v1/runs/collected").json()["tests"] == number
    assert any_client.post("/v1/collect?metrics=text.cost", json=test).status_code == 400
    other = any_client.post("/v1/collect?metrics=text.cost&run=other", json=test)
    assert other.status_code == 201
    writer = RunWriter(
        any_client.store, find_run(any_client.store, "other").id, "other", {}, 1, time
    )
    writer.finish(summary([], []))
    assert any_client.post("/v1/collect?metrics=text.cost&run=other", json=test).status_code == 400
    for wrong in ({"duration": "long"}, {"response": 1, "output": 2}):
        assert any_client.post("/v1/collect", json=wrong).status_code == 400
    assert any_client.post("/v1/collect", json=[]).status_code == 422


def test_the_registry_is_told(client):
    entries = client.get("/v1/metrics").json()
    assert [entry["id"] for entry in entries] == list(registry.metrics())
    assert {e["family"] for e in client.get("/v1/metrics?selector=text,json").json()} == {
        "text",
        "json",
    }
    page = client.get("/v1/metrics/text.safety").json()
    assert "Blind spots" in page["documentation"]
    assert page["examples"]
    assert client.get("/v1/metrics/none").status_code == 404
    assert client.get("/v1/metrics?selector=none").status_code == 400
    families = {family["name"]: family for family in client.get("/v1/families").json()}
    assert "rag" in families["chat"]["groups"]
    assert families["text"]["title"]


def test_every_page_of_the_registry_can_be_sent(client):
    for id in registry.metrics():
        assert client.get(f"/v1/metrics/{id}").status_code == 200, id


def test_settings_are_told_without_paths(client, tmp_path):
    found = {entry["name"]: entry for entry in client.get("/v1/settings").json()}
    assert found["batch_size"]["value"] == 256
    assert found["metrics"]["value"] == []
    assert found["store"]["source"] == "command line"


def test_prometheus_reads_counts_and_means(stored):
    from prometheus_client.parser import text_string_to_metric_families

    answer = stored.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    found = {metric.name: metric for metric in text_string_to_metric_families(answer.text)}
    tests = {s.labels["status"]: s.value for s in found["assay_tests"].samples}
    counts = {"passed": 11.0, "failed": 6.0, "unsure": 0.0, "skipped": 0.0, "unjudged": 0.0}
    assert tests == counts
    assert found["assay_runs"].samples[0].value == 2.0
    assert {s.labels["metric"] for s in found["assay_metric_mean"].samples} >= {"text.safety"}


def test_the_page_is_served_where_it_was_built(client, monkeypatch, tmp_path):
    from assay.server.routes import pages

    monkeypatch.setattr(pages, "static_files", dict)
    assert "assay" in client.call("GET", "/").json()
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "assets" / "main-1a2b.js").write_text("1")
    built = dict(pages._walk(tmp_path, ""))
    monkeypatch.setattr(pages, "static_files", lambda: built)
    answer = client.call("GET", "/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text == "<!doctype html>"
    script = client.call("GET", "/assets/main-1a2b.js")
    assert script.headers["content-type"].startswith(("text/javascript", "application/javascript"))
    assert "immutable" in script.headers["cache-control"]


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [("gzip, br", True), ("br;q=1, gzip ; q=0.5", True), ("gzip;q=0", False), ("identity", False)],
)
def test_scripts_are_packed_for_those_who_unpack_them(
    client, monkeypatch, tmp_path, accepted, is_packed
):
    from assay.server.routes import pages

    (tmp_path / "main.js").write_text("let a = 1;\n" * 100)
    monkeypatch.setattr(pages, "static_files", lambda: {"assets/a.js": tmp_path / "main.js"})
    script = client.call("GET", "/assets/a.js", headers={"accept-encoding": accepted})
    assert ("content-encoding" in script.headers) is is_packed
    assert script.text == "let a = 1;\n" * 100
    assert script.headers["vary"] == "accept-encoding"


DOTS = ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "%252e%252e%252f", "....//")
TRAVERSALS = [
    f"{start}{middle}{end}"
    for start in ("/assets/", "/", "/v1/runs/", "/v1/tests/", "/v1/metrics/")
    for middle in (
        "../",
        "..%2f",
        "%2e%2e/",
        "%2e%2e%2f",
        "..\\",
        "..%5c",
        "%252e%252e%252f",
        "....//",
    )
    for end in ("etc/passwd", "pyproject.toml", "../../../etc/passwd", "assay.db", "C:\\boot.ini")
]


def test_no_path_leads_out_of_the_page(tmp_path, monkeypatch):
    from assay.server.routes import pages

    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("page")
    built = dict(pages._walk(tmp_path / "site", ""))
    monkeypatch.setattr(pages, "static_files", lambda: built)
    with Client(str(tmp_path / "assay.db"), tmp_path) as client:
        for path in [*TRAVERSALS, "/assets//etc/passwd", "/assets/%00", "/assets/x.js%00.png"]:
            answer = client.get(path)
            assert answer.status_code in (200, 400, 404), path
            assert (
                answer.status_code != 200 or answer.text in ("page",) or "items" in answer.text
            ), path


def test_the_description_is_given_to_those_who_may_read(client):
    assert client.call("GET", "/v1/openapi.json").status_code == 401
    assert client.get("/v1/openapi.json").json()["info"]["title"] == "Assay"


def test_a_test_is_shown_however_deep_its_documents_are(any_client):
    depth = MAX_DEPTH - 10
    deep = "[" * depth + "]" * depth
    body = (
        f'{{"query": "q", "response": "r", "expected_json": {deep}, "metadata": {{"x": {deep}}}}}'
    )
    headers = {"content-type": "application/json"}
    made = any_client.post("/v1/collect?metrics=text.safety", content=body, headers=headers)
    assert made.status_code == 201, made.text
    found = any_client.get(f"/v1/tests/{made.json()['test_id']}")
    assert found.status_code == 200
    assert TestDetail.model_validate(found.json())
    assert json.dumps(found.json()["sample"]["expected_json"]) == deep


def test_no_list_of_runs_tells_a_folder_of_the_machine(client):
    start_run(
        client.store, "mine", RunPlan({"json.accuracy": ("s", None)}, {}), source="/home/x/a.csv"
    )
    for path in ("/v1/runs", "/v1/json/runs"):
        assert [run["source"] for run in client.get(path).json()["items"]] == ["a.csv"]


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/v1/nothing", 404), ("PUT", "/v1/runs", 405)]
)
def test_who_asks_at_the_wrong_address_is_told_where_all_are(client, method, path, status):
    found = client.call(method, path, role="admin", json={})
    assert (found.status_code, "/v1/openapi.json" in found.json()["error"]) == (status, True)


def test_the_settings_do_not_say_where_the_store_lies(client):
    found = {entry["name"]: entry["value"] for entry in client.get("/v1/settings").json()}
    assert found["store"] in ("sqlite", "postgresql")
