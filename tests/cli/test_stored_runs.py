"""Runs in a store as a user meets them: `run --run`, `runs`, `show`, `report`."""

import io
import json
import sys

import pytest

pytest.importorskip("sqlalchemy")

RECORDS = [
    {"id": f"s{n}", "query": "Where?", "response": "In town." if n % 3 else "At bob@example.com."}
    for n in range(8)
]


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return path


def test_a_named_run_is_kept_and_listed(run, data, tmp_path):
    code, _, err = run("run", data, "-m", "text.safety", "--run", "first")
    assert code == 0
    assert "Stored: run first in sqlite:///" in err
    assert (tmp_path / ".assay" / "assay.db").exists()
    code, out, _ = run("runs", "--json")
    (listed,) = json.loads(out)
    assert (listed["name"], listed["status"], listed["tests"]) == ("first", "finished", 8)
    assert listed["metrics"] == ["text.safety"]
    code, out, _ = run("runs")
    assert "first" in out
    assert "finished" in out


def test_nothing_is_stored_unless_asked_for(run, data, tmp_path):
    run("run", data, "-m", "text.safety", "-q")
    assert not (tmp_path / ".assay").exists()
    run("run", data, "-m", "text.safety", "--run", "x", "--store", "none", "-q")
    assert not (tmp_path / ".assay").exists()
    _, out, _ = run("runs")
    assert "assay run DATA --run NAME" in out


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "md", "xml"])
def test_a_stored_run_gives_the_same_files_again(run, data, tmp_path, ending):
    run("run", data, "-m", "text", "--run", "first", "-o", f"one.{ending}", "-q")
    code, out, err = run("show", "first", "-o", f"two.{ending}")
    assert code == 0
    assert f"Written: two.{ending}" in err
    assert "text.safety" in out
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


def test_a_report_of_a_stored_run(run, data, tmp_path):
    run("run", data, "--run", "first", "--store", "my.db", "-q")
    code, _, err = run("report", "first", "--store", "my.db", "--out", "r.html")
    assert (code, err) == (0, "Written: r.html\n")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert '"name": "first", "status": "finished", "created": "20' in page


def test_a_taken_name_is_refused_and_a_finished_run_resumes_to_the_same(run, data, tmp_path):
    run("run", data, "-m", "text", "--run", "first", "-q", "-o", "one.jsonl")
    code, _, err = run("run", data, "-m", "text", "--run", "first", "-q")
    assert code == 2
    assert "run 'first' exists already" in err
    code, *_ = run("run", data, "-m", "text", "--run", "first", "--resume", "-q", "-o", "two.jsonl")
    assert code == 0
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    _, out, _ = run("runs", "--json")
    assert json.loads(out)[0]["tests"] == 8


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "DATA", "--resume"), "--resume needs the run's name"),
        (("run", "DATA", "-m", "chat.rouge", "--run", "first", "--resume"), "cannot be resumed: "),
        (("show", "frist"), "did you mean 'first'?"),
        (("runs", "prune"), "say which runs to remove"),
        (("runs", "prune", "--older-than", "soon"), "the age is 'soon'"),
        (("runs", "import", "none.jsonl"), "no such file"),
        (("runs", "--store", "none"), "no store is set"),
        (("runs", "import", "DATA"), "is no exported run"),
    ],
)
def test_mistakes_are_explained(run, data, words, message):
    run("run", data, "-m", "text.safety", "--run", "first", "-q")
    code, _, err = run(*(data if word == "DATA" else word for word in words))
    assert code == 2
    assert message in err


def test_a_run_moves_from_one_store_to_another(run, data, tmp_path):
    run("run", data, "-m", "text", "--run", "first", "-q", "-o", "one.jsonl")
    assert run("runs", "export", "first", "moved.jsonl")[0] == 0
    assert run("runs", "import", "moved.jsonl", "--store", "other.db", "--name", "copy")[0] == 0
    run("show", "copy", "--store", "other.db", "-o", "two.jsonl")
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    _, out, _ = run("runs", "export", "copy", "--store", "other.db")
    (tmp_path / "again.jsonl").write_text(out, encoding="utf-8")
    first = (tmp_path / "moved.jsonl").read_text(encoding="utf-8").replace('"first"', '"copy"')
    assert out == first


def test_runs_can_be_deleted_and_pruned(run, data):
    for name in ("a", "b", "c"):
        run("run", data, "-m", "text.safety", "--run", name, "-q")
    assert run("runs", "delete", "b", "--yes")[0] == 0
    assert json.loads(run("runs", "prune", "--keep", "1", "--json")[1]) == ["a"]
    assert [entry["name"] for entry in json.loads(run("runs", "--json")[1])] == ["c"]
    assert json.loads(run("runs", "prune", "--older-than", "1d", "--json")[1]) == []


def test_the_store_of_the_settings_is_used(run, data, tmp_path):
    (tmp_path / "assay.toml").write_text('store = "team.db"\n', encoding="utf-8")
    run("run", data, "-m", "text.safety", "-q")
    assert (tmp_path / "team.db").exists()
    (listed,) = json.loads(run("runs", "--json")[1])
    assert listed["tests"] == 8


def test_marks_of_persons_can_be_blacked_out_in_all_that_is_written(run, data, tmp_path):
    words = ("run", data, "-m", "text,chat.data_leakage", "-q", "--redact", "--run", "first")
    run(*words, "-o", "one.jsonl", "-o", "one.html")
    run(*words, "--resume", "-o", "two.jsonl")
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    written = [*tmp_path.glob("one.*"), *(tmp_path / ".assay").iterdir()]
    assert len(written) >= 3
    assert not any(b"bob@example" in path.read_bytes() for path in written)
    scored = [json.loads(line) for line in (tmp_path / "one.jsonl").read_text().splitlines()]
    leaks = scored[0]["scores"]["chat.data_leakage"]
    assert leaks["value"] == 100.0
    assert leaks["evidence"][0]["end"] - leaks["evidence"][0]["start"] == len("bob@example.com")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stdin", "code", "is_kept", "message"),
    [
        (Terminal("n\n"), 130, True, "Delete run a with"),
        (Terminal("y\n"), 0, False, "Removed: run a"),
        (io.StringIO(""), 2, True, "add --yes"),
    ],
)
def test_a_run_is_deleted_only_after_asking(run, data, monkeypatch, stdin, code, is_kept, message):
    run("run", data, "--run", "a", "-q")
    monkeypatch.setattr(sys, "stdin", stdin)
    found, out, err = run("runs", "delete", "a")
    assert found == code
    assert message in (out + err).replace("\u00a0", " ")
    assert bool(json.loads(run("runs", "--json")[1])) is is_kept
