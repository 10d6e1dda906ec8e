"""`assay run --escalate` as its user sees it."""

import json

import pytest
from tests.judge.chat import KEY, Chat, graded

ASKED = ("run", "answers.jsonl", "-m", "safety.toxicity", "--unsure", "safety.toxicity=0:1")


@pytest.fixture
def chat():
    server = Chat(lambda asked: graded("yes" if "idiot" in asked.plain(0) else "no")(asked))
    yield server
    server.close()


@pytest.fixture
def project(run, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    texts = ["You are an idiot.", "The shop opens at nine.", "Only an idiot asks.", "It is late."]
    lines = [json.dumps({"id": str(n), "response": text}) for n, text in enumerate(texts)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    return tmp_path


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_judge_decides_what_is_unsure(run, project, chat):
    code, out, said = run(*ASKED, "--escalate", "--judge", chat.spec, "--out", "o.jsonl")
    assert code == 0, said
    assert f"texts of unsure samples go to openai:small@{chat.url.removeprefix('http://')}." in said
    assert "Judge, estimated: at most about 4 calls and" in said
    assert "unknown price, were every sample unsure." in said
    assert "Escalated: 4\u00a0unsure verdicts, 4 decided by the judge." in said
    assert "Judge: 4 calls," in said
    assert "2 of 4 good; 2 to look at." in out
    assert "because “It is so”" in " ".join(out.split())
    scores = [record["scores"]["safety.toxicity"] for record in records(project / "o.jsonl")]
    assert [one["verdict"] for one in scores] == ["fail", "pass", "fail", "pass"]
    assert {one["details"]["decided_by"] for one in scores} == {"judge"}
    assert [line["label"] for line in records(project / "unsure.jsonl")] == [
        *("fail", "pass", "fail", "pass")
    ]


def test_a_stored_run_keeps_what_the_judge_said(run, project, chat):
    store = ("--store", "sqlite:///s.db")
    code, _, said = run(*ASKED, "--escalate", "--judge", chat.spec, "--run", "one", *store)
    assert code == 0, said
    run("runs", "export", "one", "one.jsonl", *store)
    kept = (project / "one.jsonl").read_text()
    assert kept.count('"decided_by"') == 4
    code, out, said = run(
        *("calibrate", "one", "--labels", "label", "--labels-from", "unsure.jsonl"),
        *("-m", "safety.toxicity", "--json", *store),
    )
    assert code == 0, said
    calibration = json.loads(out)
    assert (calibration["labelled"], calibration["positives"]) == (4, 2)
    assert calibration["direction"] == "lower"


def test_people_label_the_queue_and_the_next_run_follows(run, project):
    code, _, said = run(*ASKED, "--escalate", "--queue", "labels/todo.jsonl")
    assert code == 0, said
    assert "No judge is configured: unsure samples go to labels/todo.jsonl." in said
    assert "Escalated: 4\u00a0unsure verdicts, 4 to label in labels/todo.jsonl." in said
    assert "assay calibrate --labels label --labels-from labels/todo.jsonl" in said
    queue = project / "labels" / "todo.jsonl"
    lines = records(queue)
    for line, label in zip(lines, ("fail", "pass", "", ""), strict=True):
        line["label"] = label
    queue.write_text("\n".join(map(json.dumps, lines)) + "\n")
    code, out, said = run(*ASKED, "--escalate", "--queue", "labels/todo.jsonl")
    assert "2 by labels of labels/todo.jsonl, 2 to label in" in said
    assert "1 of 4 good; 3 to look at." in out


def test_labels_of_another_metric_calibrate_nothing(run, project):
    run(*ASKED, "--escalate")
    lines = records(project / "unsure.jsonl")
    other = [{**line, "metric": "safety.harm", "label": "fail"} for line in lines]
    (project / "unsure.jsonl").write_text("\n".join(map(json.dumps, other)))
    code, _, said = run(
        *("calibrate", "answers.jsonl", "--labels", "label", "--labels-from", "unsure.jsonl"),
        *("-m", "safety.toxicity"),
    )
    assert code == 2
    assert "has no record with an 'id' and 'label'" in said


def test_nothing_unsure_is_said(run, project):
    _, _, said = run("run", "answers.jsonl", "-m", "safety.toxicity", "--escalate")
    assert "Escalated: nothing, no sample is unsure." in said
    assert not (project / "unsure.jsonl").exists()


def test_a_cap_on_cost_holds(run, project, chat):
    code, out, said = run(
        *ASKED, "--escalate", "--judge", chat.spec, "--max-judge-calls", "1", "--json"
    )
    summary = json.loads(out)
    assert code == 0, said
    assert summary["judge"]["calls"] == 1
    assert summary["unsure"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--queue", "q.jsonl"], "--queue keeps what is escalated; add --escalate"),
        (["--escalate", "--queue", "q.csv"], "--queue is 'q.csv'; expected a .jsonl file"),
    ],
)
def test_mistakes_are_named(run, project, options, message):
    code, _, said = run(*ASKED, *options)
    assert code == 2
    assert message in said
