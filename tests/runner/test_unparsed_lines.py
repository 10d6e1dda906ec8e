"""Workers that parse the lines of a file themselves."""

import json

import pytest
from tests.poison import PLUGIN

from assay.engine import GatePolicy, parse_gate
from assay.runner import Job
from assay.runner.execute import RunRequest, execute
from assay.runner.gating import GateRequest
from assay.samples import read_samples
from assay.samples.columns import LOOKED_AT
from assay.samples.raw_records import RawRecord
from assay.settings import Settings

COUNT = LOOKED_AT + 150
"""More lines than are looked at before."""
TEXTS = ("The store is open.", "Damn, mail bob@example.com.", "I cannot say. ", "متجر مفتوح", "")


def records(count=COUNT, **fields):
    return [
        {"id": str(n), "query": "Where is it?", "response": TEXTS[n % 5] * (n % 7), **fields}
        for n in range(count)
    ]


def written(folder, lines, workers, *, metrics=("text",), plugin=None, gates=None, more=()):
    """The bytes of all files of results, and the sums, by so many processes in small batches."""
    source = folder / "answers.jsonl"
    source.write_bytes(b"\n".join(lines))
    names = [f"{workers}{ending}" for ending in (".jsonl", *more)]
    request = RunRequest(
        items=read_samples(source),
        job=Job(metrics, plugins=(plugin,) if plugin else ()),
        settings=Settings.load(environ={}, overrides={"workers": workers, "batch_size": 7}),
        out=tuple(str(folder / name) for name in names),
        gates=gates,
    )
    summary = execute(request).summary
    return [(folder / name).read_bytes() for name in names], summary.to_json(), summary.worst


def encoded(rows):
    return [json.dumps(row, ensure_ascii=False).encode() for row in rows]


def repeated(rows):
    return [{**row, "metadata": {"repeat_of": f"q{n % 40}"}} for n, row in enumerate(rows)]


def weighted(rows):
    return [
        {**row, "metadata": {"weight": 1 + n % 3}} if n > LOOKED_AT + 20 else row
        for n, row in enumerate(rows)
    ]


def broken():
    lines = encoded(records())
    for n, line in enumerate((b"{", b"[1]", b'"\xff"', b'{"id": "a"}', b"", b"  ")):
        lines[LOOKED_AT + 10 + 9 * n] = line
    return [b"\xef\xbb\xbf" + lines[0], *lines[1:]]


def used_twice():
    rows = records()
    rows[LOOKED_AT + 30]["id"] = "3"
    rows[LOOKED_AT + 60]["id"] = rows[LOOKED_AT + 61]["id"]
    rows[LOOKED_AT + 130]["id"] = rows[LOOKED_AT + 20]["id"]
    return encoded(rows)


@pytest.mark.parametrize(
    "lines",
    [
        encoded(records()),
        broken(),
        used_twice(),
        encoded(repeated(records())),
        encoded(weighted(records())),
        [*encoded(records())[:LOOKED_AT], *[b"{"] * 40],
    ],
    ids=["plain", "broken", "used twice", "repeated", "weighted", "only problems"],
)
def test_files_and_sums_are_those_of_one_process(tmp_path, lines):
    alone, shared = (written(tmp_path, lines, workers, more=[".md"]) for workers in (1, 2))
    assert shared == alone
    assert alone[0][0].count(b"\n") == alone[1]["samples"]


def test_problems_name_the_lines_of_the_file(tmp_path):
    _, summary, _ = written(tmp_path, used_twice(), 2)
    assert summary["problems"] == [
        "answers.jsonl, line 131: id '3' was used before; expected every id once",
        "answers.jsonl, line 162: id '161' was used before; expected every id once",
        "answers.jsonl, line 231: id '120' was used before; expected every id once",
    ]


def test_lines_that_nobody_looked_at_are_not_parsed_by_the_run(tmp_path, monkeypatch):
    parsed, original = [], RawRecord.parsed
    monkeypatch.setattr(RawRecord, "parsed", lambda own: parsed.append(own) or original(own))
    written(tmp_path, encoded(records()), 2)
    assert {own.place for own in parsed} == {f"line {n + 1}" for n in range(LOOKED_AT)}


@pytest.mark.parametrize("gate", ["text.safety>=0.5", "text.safety[language=ar]>=0.9"])
def test_gates_are_those_of_one_process(tmp_path, gate):
    gates = GateRequest((parse_gate(gate), parse_gate("samples>=70")), GatePolicy())
    lines = encoded(records())
    alone, shared = (written(tmp_path, lines, workers, gates=gates) for workers in (1, 2))
    assert shared == alone
    assert [own["gate"] for own in alone[1]["gates"]] == [gate, "samples>=70"]


def test_a_line_that_ends_its_process_has_errors(tmp_path):
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN)
    rows = records()
    rows[LOOKED_AT + 40]["response"] = "With poison."
    own = {"metrics": ("custom.length", "text.safety"), "plugin": str(plugin)}
    (text,), summary, _ = written(tmp_path, encoded(rows), 2, **own)
    written_records = [json.loads(line) for line in text.splitlines()]
    assert [record["id"] for record in written_records] == [row["id"] for row in rows]
    assert summary["metrics"]["text.safety"]["errors"] == 1
    scores = written_records[LOOKED_AT + 40]["scores"]
    assert {score["state"] for score in scores.values()} == {"error"}
