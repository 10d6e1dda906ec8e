"""JSON documents beside their ground truth, over HTTP."""

import json

import pytest

import assay
from assay.server.schemas.base import MAX_BATCH
from assay.server.schemas.json_documents import JsonAnswerEntry, JsonBatchAnswer, JsonPairsAnswer

GT = {"name": "John Smith", "age": 30, "city": None}
AIO = {"name": "John Smyth", "age": 31, "extra": 1}


def test_one_comparison_is_that_of_the_call(client):
    body = {"ground_truth": GT, "output": AIO, "strategies": {"name": "FUZZY"}}
    found = client.post("/v1/json/compare", json=body).json()
    assert found == assay.compare_json(GT, AIO, {"name": "FUZZY"}).to_json()
    JsonAnswerEntry.model_validate(found)
    body = {"ground_truth": json.dumps(GT), "output": '{"name": "John Smith"', "repair": True}
    assert client.post("/v1/json/compare", json=body).json()["notes"][0].startswith("repaired")


def test_a_stored_set_of_strategies_counts(client):
    client.call(
        "PUT", "/v1/strategies/people", role="write", json={"strategies": {"name": "IGNORE"}}
    )
    body = {"ground_truth": GT, "output": AIO, "strategies": "people"}
    assert client.post("/v1/json/compare", json=body).json()["ignored_keys"] == ["name"]


@pytest.mark.parametrize("path", ["/v1/json/batch", "/agent-eval/run-batch"])
def test_a_batch_ranks_its_outputs(client, path):
    body = {"ground_truth": GT, "outputs": [AIO, GT, "broken"], "gates": {"min_rqs": 0.1}}
    found = client.post(path, json=body).json()
    JsonBatchAnswer.model_validate(found)
    assert (found["best_index"], len(found["results"]), found["status"]) == (1, 3, "FAIL")


def test_a_batch_has_500_outputs_at_most(client):
    body = {"ground_truth": {"a": 1}, "outputs": [{"a": 1}] * MAX_BATCH}
    assert client.post("/v1/json/batch", json=body).status_code == 200
    body["outputs"] += [{"a": 1}]
    assert client.post("/v1/json/batch", json=body).status_code == 422


@pytest.mark.parametrize("path", ["/v1/json/upload", "/agent-eval/evaluate-from-paths"])
def test_the_pairs_of_an_upload(client, path):
    lines = [{"id": "a", "gt": GT, "aio": GT}, {"id": "b", "gt": GT}, {"gt": "{", "aio": {}}, 3]
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    headers = {"content-type": "application/octet-stream"}
    sent = client.post("/v1/uploads?name=p.jsonl", content=data, headers=headers).json()
    found = client.post(path, json={"upload": sent["id"]}).json()
    JsonPairsAnswer.model_validate(found)
    assert [item["name"] for item in found["items"]] == ["a", "b", "line-3", "record 4"]
    assert (found["compared"], found["problems"], found["mean_accuracy"]) == (1, 3, 1.0)
    assert [item["problem"] is None for item in found["items"]] == [True, False, False, False]
    page = client.post(path, json={"upload": sent["id"], "limit": 1, "offset": 1}).json()
    assert [item["name"] for item in page["items"]] == ["b"]
    assert client.post(path, json={"paths": ["/etc/passwd"]}).status_code == 422


@pytest.mark.parametrize("path", ["/v1/json/repair", "/agent-eval/convert-json"])
def test_text_is_read_as_json(client, path):
    for text, value, is_repaired in (
        ('{"a": 1}', {"a": 1}, False),
        ("```json\n{'a': 1,}\n```", {"a": 1}, True),
    ):
        found = client.post(path, json={"text": text}).json()
        assert (found["value"], bool(found["repairs"])) == (value, is_repaired), text
    assert client.post(path, json={"text": ""}).status_code == 400


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"ground_truth": "{"}, 400),
        ({"strategies": {"name": "GUESS"}}, 400),
        ({"strategies": "nobodys"}, 404),
        ({"strategies": "../x"}, 422),
        ({"options": {"depth": "deep"}}, 422),
        ({"options": {"max_alignment": 10**9}}, 422),
        ({"options": {"list_alignment": "key"}}, 400),
        ({"output": {"x": "\ud800"}}, 422),
    ],
)
def test_what_makes_no_sense_is_refused(client, change, status):
    body = json.dumps({"ground_truth": GT, "output": AIO, **change})
    headers = {"content-type": "application/json"}
    found = client.post("/v1/json/compare", content=body, headers=headers)
    assert found.status_code == status, found.text


def test_deep_documents_come_back(client):
    deep = "[" * 400 + "]" * 400
    body = f'{{"ground_truth": {{"a": {deep}}}, "output": {{"a": {deep}}}}}'
    headers = {"content-type": "application/json"}
    found = client.post("/v1/json/compare", content=body, headers=headers)
    assert (found.status_code, found.json()["accuracy"]) == (200, 1.0)


@pytest.mark.parametrize("path", ["/v1/json/runs", "/agent-eval/history"])
def test_runs_of_the_family_are_listed(client, path):
    assert client.get(path).json()["total"] == 0
    for latest in ("/v1/json/latest", "/agent-eval/latest-result"):
        assert client.get(latest).status_code == 404
    for run, metrics in (("pairs", ["json.accuracy"]), ("texts", ["text.safety"])):
        sample = {"gt": GT, "aio": AIO, "response": "x"}
        body = {"samples": [sample], "run": run, "metrics": metrics}
        job = client.post("/v1/jobs", json=body).json()
        client.get(f"/v1/jobs/{job['id']}/events")
    assert [run["name"] for run in client.get(path).json()["items"]] == ["pairs"]
    for latest in ("/v1/json/latest", "/agent-eval/latest-result"):
        assert client.get(latest).json()["name"] == "pairs"


@pytest.mark.parametrize(
    ("path", "output"),
    [("/v1/json/compare", {"output": AIO}), ("/v1/json/batch", {"outputs": [AIO]})],
)
def test_strategies_go_by_the_name_in_the_document(client, path, output):
    body = {"ground_truth": GT, **output, "field_strategies": {"name": "IGNORE"}}
    found = client.post(path, json=body)
    assert found.status_code == 200, found.text
    one = found.json()["results"][0] if "outputs" in output else found.json()
    assert one["ignored_keys"] == ["name"]
