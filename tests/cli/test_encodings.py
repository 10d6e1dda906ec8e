"""The same results whatever a machine takes for text: code pages, locales, byte order marks."""

import json
import os
import pty
import subprocess
import sys

import pytest
from tests.required import output_endings

RECORD = {"query": "متى؟", "response": "غدا ≥ 9 – “sure”. 😀", "expected": "لا أحد يعرف ذلك"}
MACHINES = {
    "utf-8": {"PYTHONUTF8": "1"},
    "C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "code page": {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
    "odd code page": {"PYTHONIOENCODING": "cp437", "PYTHONUTF8": "0"},
}
STRICT = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
"""A file that is opened in the machine's own encoding ends the program."""


def assay(folder, machine, *words, **pipes):
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, *STRICT, "-m", "assay", *words],
        cwd=folder,
        env={**kept, **MACHINES[machine], "SOURCE_DATE_EPOCH": "1700000000"},
        **(pipes or {"capture_output": True}),
    )


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(RECORD, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("machine", MACHINES)
def test_a_run_shows_and_writes_the_same_everywhere(data, machine):
    endings = output_endings("jsonl", "json", "csv", "md", "xml", "prom")
    outs = [f"-oout.{ending}" for ending in endings]
    words = ("run", "answers.jsonl", "-m", "text.factuality,text.safety", "--store", "none")
    found = []
    for where in (machine, "utf-8"):
        done = assay(data.parent, where, *words, *outs)
        assert done.returncode == 0, done.stderr.decode()
        files = {path.name: path.read_bytes() for path in sorted(data.parent.glob("out.*"))}
        found.append((done.stdout.decode(), files))
    assert found[0] == found[1]
    assert "≥" in found[0][0]
    assert "غدا" in found[0][0]


@pytest.mark.parametrize("machine", MACHINES)
def test_answers_for_programs_are_whole_everywhere(data, machine):
    words = ("run", "answers.jsonl", "-m", "text.factuality", "--store", "none")
    printed = json.loads(assay(data.parent, machine, *words, "--json").stdout)
    assert printed["samples"] == 1
    line = json.loads(assay(data.parent, machine, *words, "-o", "-").stdout)
    assert line["id"] == "line-1"


def test_a_terminal_that_knows_few_characters_shows_the_others_as_escapes(data):
    controller, terminal = pty.openpty()
    words = ("run", "answers.jsonl", "-m", "text.factuality", "--store", "none")
    done = assay(data.parent, "code page", *words, stdout=terminal, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while piece := os.read(controller, 65536):
            shown += piece
    except OSError:  # how the end of a terminal is told
        os.close(controller)
    assert done.returncode == 0
    assert b"\\u2265" in shown


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_from_another_system_has_the_same_scores(run, tmp_path, encoding, newline):
    texts = {"plain.jsonl": ("utf-8", "\n"), "other.jsonl": (encoding, newline)}
    for name, (code, end) in texts.items():
        line = json.dumps(RECORD, ensure_ascii=False) + end
        (tmp_path / name).write_bytes((line * 2).encode(code))
    words = ("-m", "text", "--store", "none", "--json")
    plain, other = (json.loads(run("run", name, *words)[1]) for name in texts)
    assert other == plain


def test_a_file_in_another_encoding_is_refused_by_name(run, tmp_path):
    (tmp_path / "wide.jsonl").write_bytes(json.dumps(RECORD, ensure_ascii=False).encode("utf-16"))
    code, _, err = run("run", "wide.jsonl", "--store", "none")
    assert code == 2
    assert "wide.jsonl" in err
