"""Texts that databases, files and answers cannot hold as they are: kept whole, and no obstacle."""

import json

from assay.core import Sample
from assay.core.jsontext import loads
from assay.core.plain import sendable
from assay.runner import evaluate
from assay.samples import GoldenDataset, read_samples, to_sample
from assay.store import open_store
from assay.store.run_list import find_run, read_run

TEXTS = [
    "\0",
    "a\0b",
    "\ud800",
    "\udfff x",
    "😀",
    "\ufffe\uffff",
    "\x1b[31m\x9b2J",
    "\u202eمرحبا\u2066",
    "\r\n\u2028\x85",
    "\ufeffbom",
    "\U0010ffff",
    "=1+1",
    "x" * 300_000,
    "e\u0301" * 1000,
]
"""Each is a response, an id, a tag, a key and a value."""


def sample_of(number, text):
    return {
        "id": f"{number} {text[:100]}",
        "query": text,
        "response": text,
        "metadata": {f"k{text[:50]}": [text[:100], 10**300, {"deep": text[:100]}]},
    }


def test_what_is_posted_comes_back_whole(any_client):
    """But for half a surrogate pair, which is no character: that is refused with the reason."""
    client = any_client
    for number, text in enumerate(TEXTS):
        answer = client.post(
            "/v1/collect?run=hard&metrics=text.safety",
            content=json.dumps(sample_of(number, text)),  # all escapes, as a program would send it
            headers={"content-type": "application/json"},
        )
        if text != sendable(text):
            assert (answer.status_code, "surrogate" in answer.text) == (422, True)
            continue
        assert answer.status_code == 201, (number, answer.text[:300])
        found = client.get(f"/v1/tests/{answer.json()['test_id']}")
        sample = json.loads(found.text)["sample"]
        assert (sample["query"], sample["response"]) == (text, text), number


def test_what_is_stored_comes_back_whole(url):
    samples = [to_sample(sample_of(number, text), "x") for number, text in enumerate(TEXTS)]
    evaluate(samples, metrics=["text.safety"], run="hard", store=url, settings=None)
    store = open_store(url)
    kept = [sample for sample, _ in read_run(store, find_run(store, "hard"))]
    store.close()
    assert kept == samples


def test_what_is_written_comes_back_whole(tmp_path):
    samples = [to_sample(sample_of(number, text), "x") for number, text in enumerate(TEXTS)]
    report = evaluate(samples, metrics=["text.safety"], settings=None)
    for ending in (".jsonl", ".json", ".csv", ".parquet", ".html", ".md", ".xml"):
        report.save(str(tmp_path / f"out{ending}"))
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert [loads(line)["id"] for line in lines] == [sample.id for sample in samples]
    for ending in (".jsonl", ".csv"):
        golden = tmp_path / f"golden{ending}"
        if ending == ".csv":
            samples = [sample for sample in samples if sample.response == sendable(sample.response)]
        GoldenDataset("hard", examples=tuple(samples)).save(golden)
        again = [item for item in read_samples(str(golden)) if isinstance(item, Sample)]
        assert [s.response for s in again] == [s.response for s in samples], ending
