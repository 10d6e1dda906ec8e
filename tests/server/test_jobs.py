"""Jobs: from samples to a stored run, cancelled, resumed, and killed in between."""

import json
import os
import re
import socket
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from itertools import islice

import httpx2
import pytest
from tests.judge.chat import Chat, graded
from tests.server.client import Client, live
from tests.store.new_stores import new_sqlite

import assay
from assay.server import events
from assay.settings import Settings
from assay.store import open_store
from assay.store.jobs import find_job
from assay.store.run_list import find_run, read_run

SAMPLES = [{"id": f"s{n}", "response": f"Call 555-0{n:05}, idiot."} for n in range(20)]
LINES = "".join(json.dumps(sample) + "\n" for sample in SAMPLES).encode()


def upload(client, data=LINES, name="answers.jsonl"):
    headers = {"content-type": "application/octet-stream"}
    sent = client.post("/v1/uploads", params={"name": name}, content=data, headers=headers)
    return sent.json()["id"]


def start(client, **body):
    made = client.post("/v1/jobs", json={"metrics": ["text.safety"], **body})
    assert made.status_code == 202, made.text
    return made.json()


def told(text):
    """Name and data of the events in a stream's text."""
    found = re.findall(r"^event: (\w+)\ndata: (.*)\n\n", text, re.MULTILINE)
    return [(name, json.loads(data)) for name, data in found]


def finished(client, job):
    """The job once it has ended."""
    name, entry = told(client.get(f"/v1/jobs/{job['id']}/events").text)[-1]
    assert name == "end"
    return entry


def scores(store, run):
    """All that a run holds, but for its times."""
    found = find_run(store, run)
    records = [(sample, kept) for sample, kept in read_run(store, found)]
    return records, found.summary, (found.places, found.tests, found.unread, found.status)


def test_an_upload_becomes_a_stored_run(any_client):
    client = any_client
    data = LINES + b"{broken\n"
    job = start(client, upload=upload(client, data), run="mine")
    assert (job["run"], job["total"], job["source"]) == ("mine", 21, "answers.jsonl")
    ended = finished(client, job)
    assert (ended["status"], ended["done"], ended["error"]) == ("done", 21, None)
    assert client.get(f"/v1/jobs/{job['id']}").json()["status"] == "done"
    records, summary, counts = scores(client.store, "mine")
    assert counts == (21, 20, 1, "finished")
    expected = assay.evaluate(SAMPLES, metrics=["text.safety"])
    assert [kept for _, kept in records] == expected.scores
    assert summary["overall"] == expected.overall
    assert summary["problems"][0].startswith("answers.jsonl, line 21: invalid JSON")


def test_posted_samples_and_choices(client):
    put = client.call(
        "PUT",
        "/v1/profiles/strict",
        role="write",
        json={"metrics": ["text.safety"], "thresholds": {"text.safety": 0.99}},
    )
    assert put.status_code == 200, put.text
    job = start(client, samples=SAMPLES[:3], metrics=[], profile="strict", limit=2)
    put = client.call(
        "PUT", "/v1/profiles/strict", role="write", json={"thresholds": {"text.safety": 0.1}}
    )
    assert put.json()["version"] == 2
    assert finished(client, job)["status"] == "done"
    client.app.state.projects.jobs("default").stop()
    assert client.get("/v1/uploads").json() == []
    records, _, _ = scores(client.store, job["run"])
    assert [kept["text.safety"].threshold for _, kept in records] == [0.99, 0.99]


def test_a_job_scores_every_answer_to_a_question(client):
    """From the answers of a record to pass@k of the run, and its flaky questions."""
    record = {"query": "Where is it?", "checks": [{"contains": "Paris"}]}
    samples = [
        {**record, "id": "flaky", "responses": ["Paris", "Rome", "Paris"]},
        {**record, "id": "steady", "query": "And now?", "responses": ["Paris"] * 3},
    ]
    chosen = {"metrics": ["check.passed"], "score_repeats": True}
    job = start(client, samples=samples, run="repeated", **chosen)
    assert finished(client, job)["status"] == "done"
    run = client.get("/v1/runs/repeated").json()
    assert (run["tests"], run["settings"]["score_repeats"]) == (6, True)
    repeats = run["repeats"]
    assert (repeats["questions"], repeats["answers"]) == (2, 6)
    assert [*repeats["figures"]] == ["pass@1", "pass@3", "pass^3", "consistency"]
    assert repeats["figures"]["pass@1"]["value"] == pytest.approx(5 / 6)
    hat = repeats["figures"]["pass^3"]
    assert (hat["value"], hat["questions"]) == (0.5, 2)
    assert hat["interval"][0] < 0.5 < hat["interval"][1]
    page = client.get("/v1/runs/repeated/flaky").json()
    (question,) = page["items"]
    assert (page["total"], question["question"], question["query"]) == (1, "flaky", "Where is it?")
    assert (question["judged"], question["passed"]) == (3, 2)
    answers = [(one["test_name"], one["status"], one["response"]) for one in question["answers"]]
    assert answers[:2] == [("flaky#1", "passed", "Paris"), ("flaky#2", "failed", "Rome")]
    test = question["answers"][1]["test_id"]
    assert client.get(f"/v1/tests/{test}").json()["sample"]["id"] == "flaky#2"


@pytest.fixture
def judged_client(tmp_path, monkeypatch):
    """A server whose judge, on this machine, takes every text for toxic."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    chat = Chat(graded("yes", "It sneers at the reader", quote="not exactly a genius"))
    given = {"store": str(tmp_path / "judged.db"), "judge": chat.spec}
    settings = Settings.load(overrides={**given, "unsure": {"safety.toxicity": "0:1"}})
    with closing(chat), Client(given["store"], tmp_path, settings=settings) as client:
        yield client, chat


def test_a_job_puts_unsure_samples_to_the_judge_of_the_server(judged_client):
    client, chat = judged_client
    where = chat.url.removeprefix("http://")
    assert client.get("/v1/me").json()["judge"] == f"openai:small@{where}"
    samples = [{"id": "a", "response": "You are not exactly a genius, are you."}]
    chosen = {"samples": samples, "metrics": ["safety.toxicity"]}
    assert finished(client, start(client, run="asked", escalate=True, **chosen))["status"] == "done"
    assert finished(client, start(client, run="not-asked", **chosen))["status"] == "done"
    ((_, asked),), _, _ = scores(client.store, "asked")
    ((_, not_asked),), _, _ = scores(client.store, "not-asked")
    assert (asked.verdict, not_asked.verdict) == ("fail", "unsure")
    result = asked["safety.toxicity"]
    assert result.details["decided_by"] == "judge"
    assert result.value == not_asked["safety.toxicity"].value
    assert len(chat.asked) == 1
    run = client.get("/v1/runs/asked").json()
    assert (run["judge"]["calls"], "escalate" in run["settings"]) == (1, True)
    assert "escalate" not in client.get("/v1/runs/not-asked").json()["settings"]


def test_a_server_without_a_judge_refuses_to_escalate(client):
    body = {"samples": SAMPLES[:1], "metrics": ["safety.toxicity"], "escalate": True}
    refused = client.post("/v1/jobs", json=body)
    assert (refused.status_code, "needs a judge" in refused.json()["error"]) == (400, True)
    assert client.get("/v1/uploads").json() == []


def test_without_repeats_a_job_scores_records(client):
    job = start(client, samples=SAMPLES[:2], run="plain")
    assert finished(client, job)["status"] == "done"
    run = client.get("/v1/runs/plain").json()
    assert (run["repeats"], "score_repeats" in run["settings"]) == (None, False)
    assert client.get("/v1/runs/plain/flaky").json()["items"] == []


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({}, 400, "either 'upload' or 'samples'"),
        ({"upload": "0" * 32, "samples": [{}]}, 400, "either 'upload' or 'samples'"),
        ({"upload": "0" * 32}, 404, "no upload"),
        ({"samples": [{}] * 501}, 422, "500"),
        ({"samples": [{"response": "\ud800"}]}, 422, "surrogate"),
        ({"samples": SAMPLES, "metrics": ["text.saftey"]}, 400, "did you mean 'text.safety'"),
        ({"samples": SAMPLES, "metrics": ["/etc/passwd"]}, 400, "unknown metric"),
        ({"samples": SAMPLES, "profile": "nobodys"}, 404, "no profile 'nobodys'"),
        ({"samples": SAMPLES, "profile": "../x.toml"}, 422, "profile"),
        ({"samples": SAMPLES, "profile": "x.toml"}, 404, "no profile"),
        ({"samples": SAMPLES, "policy": "x.toml"}, 400, "unknown policy"),
        ({"samples": SAMPLES, "strategies": "x.json"}, 404, "no set"),
        ({"samples": SAMPLES, "strategies": {"a": "GUESS"}}, 400, "the strategy is 'GUESS'"),
        ({"samples": SAMPLES, "format": "nobodys"}, 400, "nobodys"),
        ({"samples": SAMPLES, "run": "live-mine"}, 400, "are taken"),
        ({"samples": SAMPLES, "plugin": "os"}, 422, "plugin"),
        ({"samples": SAMPLES, "embedder": "http://127.0.0.1"}, 422, "embedder"),
    ],
)
def test_what_cannot_work_is_refused_at_once(client, body, status, said):
    found = client.post("/v1/jobs", content=json.dumps(body), headers=JSON)
    assert (found.status_code, said in found.text) == (status, True), found.text
    assert client.get("/v1/jobs").json()["total"] == 0
    assert client.get("/v1/uploads").json() == []


JSON = {"content-type": "application/json"}


def test_a_name_is_taken_once(client):
    finished(client, start(client, samples=SAMPLES, run="mine"))
    found = client.post("/v1/jobs", json={"samples": SAMPLES, "run": "mine"})
    assert (found.status_code, "exists already" in found.text) == (400, True)


def cancelling(client, batches):
    """Make the server cancel its job after so many batches, as a user might."""
    jobs = client.app.state.projects.jobs("default")
    check, left = jobs._check, [batches]

    def cancel(id, tally):
        left[0] -= 1
        if not left[0]:
            assert client.call("DELETE", f"/v1/jobs/{id}", role="write").status_code == 200
        check(id, tally)

    jobs._check = cancel


def small_batches(tmp_path, name="assay.db"):
    client = Client(f"sqlite:///{tmp_path / name}", tmp_path)
    settings = replace(client.config.settings, batch_size=5)
    client.app.state.config = client.config = replace(client.config, settings=settings)
    return client


def test_a_cancelled_job_stops_at_the_next_batch_and_goes_on_when_told(tmp_path):
    with small_batches(tmp_path, "whole.db") as client:
        finished(client, start(client, samples=SAMPLES, run="mine"))
        whole = scores(client.store, "mine")
    with small_batches(tmp_path) as client:
        cancelling(client, 2)
        job = start(client, samples=SAMPLES, run="mine")
        ended = finished(client, job)
        assert ended["status"] == "cancelled"
        again = client.post(f"/v1/jobs/{job['id']}/resume")
        assert again.status_code == 202, again.text
        ended = finished(client, job)
        assert (ended["status"], ended["done"]) == ("done", 20)
        assert scores(client.store, "mine") == whole
        assert client.post(f"/v1/jobs/{job['id']}/resume").status_code == 400
        actions = [e["action"] for e in client.trail("job.")]
        assert actions == ["job.resumed", "job.cancelled", "job.started"]


def test_several_processes_come_to_the_same(tmp_path):
    found = []
    for workers in (1, 2):
        store = f"sqlite:///{tmp_path / str(workers)}.db"
        with Client(store, tmp_path, workers=workers) as client:
            finished(client, start(client, samples=SAMPLES, run="mine"))
            found.append(scores(client.store, "mine"))
    assert found[0] == found[1]


def test_a_queued_job_is_cancelled_before_it_begins(client):
    client.app.state.projects.jobs("default").stop()
    job = start(client, samples=SAMPLES)
    assert client.get("/v1/jobs", params={"status": "queued"}).json()["total"] == 1
    gone = client.call("DELETE", f"/v1/jobs/{job['id']}", role="write").json()
    assert (gone["status"], gone["done"]) == ("cancelled", 0)
    again = client.call("DELETE", f"/v1/jobs/{job['id']}", role="write").json()
    assert again["status"] == "cancelled"
    assert client.call("DELETE", f"/v1/jobs/{'0' * 32}", role="write").status_code == 404


def test_the_queue_has_an_end(client, monkeypatch):
    monkeypatch.setattr("assay.server.jobs.MAX_WAITING", 1)
    client.app.state.projects.jobs("default").stop()
    start(client, samples=SAMPLES)
    found = client.post("/v1/jobs", json={"samples": SAMPLES})
    assert (found.status_code, "waiting already" in found.text) == (429, True)
    assert len(client.get("/v1/uploads").json()) == 1


def test_a_job_whose_upload_vanished_fails_and_says_so(client):
    client.app.state.projects.jobs("default").stop()
    job = start(client, samples=SAMPLES)
    client.app.state.projects.jobs("default").uploads.remove(job["upload"])
    with Client(client.config.store, client.config.uploads.parent) as again:
        again.keys = client.keys
        ended = finished(again, job)
    assert (ended["status"], "no upload" in ended["error"]) == ("failed", True)


def test_a_mistake_of_ours_tells_nothing_of_the_machine(client, monkeypatch):
    def broken(*args, **given):
        raise RuntimeError("secret /path")

    monkeypatch.setattr("assay.server.jobs.execute", broken)
    ended = finished(client, start(client, samples=SAMPLES))
    assert (ended["status"], ended["error"]) == (
        "failed",
        "the evaluation failed; the server's log says how",
    )


def test_a_server_that_ends_leaves_its_job_for_the_next(tmp_path):
    with small_batches(tmp_path, "whole.db") as client:
        finished(client, start(client, samples=SAMPLES, run="mine"))
        whole = scores(client.store, "mine")
    with small_batches(tmp_path) as client:
        jobs = client.app.state.projects.jobs("default")
        check = jobs._check

        def ending(id, tally):
            jobs._stopping.set()
            check(id, tally)

        jobs._check = ending
        job = start(client, samples=SAMPLES, run="mine")
        jobs._thread.join()
        found = find_job(client.store, job["id"])
        assert (found.status, found.done) == ("running", 5)
    with small_batches(tmp_path) as client:
        assert finished(client, job)["status"] == "done"
        assert scores(client.store, "mine") == whole


def serve(folder, store, **environment):
    """A real server as users start it, and its address."""
    words = [sys.executable, "-m", "assay", "serve", "--port", "0", "--store", store]
    process = subprocess.Popen(
        [*words, "--uploads", str(folder / "uploads")],
        cwd=folder,
        env={
            "PATH": "",
            "ASSAY_BATCH_SIZE": "40",
            "ASSAY_CACHE_DIR": str(folder / "cache"),
            **environment,
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stderr:
        if found := re.search(r"http://\S+", line):
            return process, found[0]
    raise AssertionError("the server did not start")


BARRIER = """
import os, re, socket
from assay.core import Result, metric

@metric(id="own.barrier", inputs=("response",), range=(0, 1), polarity="higher")
def barrier(response):
    "1; a response that says HOLD waits until the test lets it pass."
    if "HOLD" in response and "BARRIER_PORT" in os.environ:
        with socket.create_connection(("127.0.0.1", int(os.environ["BARRIER_PORT"]))) as test:
            test.sendall(b"here")
            assert test.recv(2) == b"go"
    return Result(1.0, "It passed.")
"""


@pytest.fixture
def plugin(tmp_path):
    """The folder of an installed package that brings the metric `own.barrier`."""
    folder = tmp_path / "site"
    about = folder / "own_barrier-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "own_barrier.py").write_text(BARRIER)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: own-barrier\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[assay.metrics]\nown = own_barrier\n")
    return folder


@pytest.fixture
def arrivals():
    """A socket to which a sample at the barrier connects."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(120)  # only a server that is stuck takes as long
        yield listening


def arrived(listening):
    """The connection of the sample that waits at the barrier."""
    connection, _ = listening.accept()
    connection.settimeout(120)
    assert connection.recv(4) == b"here"
    return connection


def ended(process):
    process.wait()
    process.stderr.close()


HELD = (100, 210, 330)
"""Samples that wait at the barrier: the third, the sixth and the ninth batch of 40."""
KILLS = {"sqlite": 3, "postgresql": 1}


def test_a_killed_server_goes_on_as_if_nothing_had_happened(url, tmp_path, plugin, arrivals):
    samples = [
        {"response": f"Call 555-0{n:05}, idiot.{' HOLD' if n in HELD else ''}"} for n in range(400)
    ]
    path = os.pathsep.join(filter(None, [str(plugin), os.environ.get("PYTHONPATH")]))
    held = {"PYTHONPATH": path, "BARRIER_PORT": str(arrivals.getsockname()[1])}
    process, base = serve(tmp_path, url, **held)
    try:
        job = submit(base, samples)
        for place in HELD[: KILLS[url.partition(":")[0]]]:
            with arrived(arrivals):
                entry = httpx2.get(f"{base}v1/jobs/{job['id']}", timeout=60).json()
                assert (entry["status"], entry["done"]) == ("running", place // 40 * 40)
                process.kill()
                ended(process)
            process, base = serve(tmp_path, url, **held)
            with arrived(arrivals) as connection:  # the same sample again: its batch was lost
                connection.sendall(b"go")
        for _ in HELD[KILLS[url.partition(":")[0]] :]:
            with arrived(arrivals) as connection:
                connection.sendall(b"go")
        assert last_event(base, job)["status"] == "done"
        entry = httpx2.get(f"{base}v1/jobs/{job['id']}", timeout=60).json()
        assert (entry["status"], entry["done"]) == ("done", len(samples))
    finally:
        process.terminate()
        ended(process)
    (tmp_path / "whole").mkdir()
    other = f"sqlite:///{tmp_path / 'whole' / 'assay.db'}"
    process, base = serve(tmp_path / "whole", other, PYTHONPATH=path)
    try:
        assert last_event(base, submit(base, samples))["status"] == "done"
    finally:
        process.terminate()
        ended(process)
    with closing(open_store(url)) as killed, closing(open_store(other)) as whole:
        assert scores(killed, "mine") == scores(whole, "mine")


def submit(base, samples):
    """Upload samples and start a job over them."""
    data = "".join(json.dumps(sample) + "\n" for sample in samples).encode()
    headers = {"content-type": "application/octet-stream"}
    address = f"{base}v1/uploads?name=a.jsonl"
    sent = httpx2.post(address, content=data, headers=headers, timeout=60).json()
    body = {"upload": sent["id"], "metrics": ["text.safety", "own.barrier"], "run": "mine"}
    return httpx2.post(f"{base}v1/jobs", json=body, timeout=60).json()


def last_event(base, job):
    """What the stream of a job's events ends with."""
    name, entry = told(httpx2.get(f"{base}v1/jobs/{job['id']}/events", timeout=60).text)[-1]
    assert name == "end"
    return entry


def test_events_end_with_the_job_and_leave_nothing_open(client):
    job = start(client, samples=SAMPLES)
    finished(client, job)
    stream = client.get(f"/v1/jobs/{job['id']}/events")
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert [name for name, _ in told(stream.text)] == ["end"]
    assert client.app.state.streams == 0
    assert client.get(f"/v1/jobs/{'0' * 32}/events").status_code == 404


def test_a_client_that_hangs_up_is_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(events, "HEARTBEAT", 0.0)
    monkeypatch.setattr(events, "POLL", 0.01)
    client = Client(new_sqlite(tmp_path / "assay.db"), tmp_path, require_key=False)
    with live(client.app) as base:
        with httpx2.stream("GET", f"{base}/v1/stream") as stream:
            heard = beats(stream)  # hangs up when it is forgotten
            assert next(heard)
            assert client.app.state.streams == 1
        with httpx2.stream("GET", f"{base}/v1/stream") as stream:
            counts = (client.app.state.streams for _ in islice(beats(stream), 20_000))
            assert 1 in counts  # the first is gone, the second listens


def beats(stream):
    return (line for line in stream.iter_lines() if line == ": still here")


def test_all_that_happens_is_told_once(tmp_path, monkeypatch):
    monkeypatch.setattr(events, "POLL", 0.01)
    client = Client(new_sqlite(tmp_path / "assay.db"), tmp_path, require_key=False)
    with live(client.app) as base, httpx2.stream("GET", f"{base}/v1/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": the events follow"
        client.now += 1
        sent = {"query": "Q?", "response": "A.", "session_id": "s-1"}
        judged = httpx2.post(f"{base}/v1/evaluate", json=sent).json()
        found = list(islice((line for line in lines if line), 3))
        assert found[:2] == [f"id: {judged['test_id']}", "event: session"]
        assert json.loads(found[2].removeprefix("data: "))["session_id"] == "s-1"
        job = httpx2.post(f"{base}/v1/jobs", json={"samples": SAMPLES}).json()
        found = list(islice((line for line in lines if line), 2))
        assert found[0] == "event: job"
        assert json.loads(found[1].removeprefix("data: "))["id"] == job["id"]
        again = {"last-event-id": "0" * 16}
        with httpx2.stream("GET", f"{base}/v1/stream", headers=again) as late:
            assert f"id: {judged['test_id']}" in islice(late.iter_lines(), 10)


def test_there_are_only_so_many_listeners(client, monkeypatch):
    monkeypatch.setattr(events, "MAX_STREAMS", 0)
    assert client.get("/v1/stream").status_code == 503
