import io
import sys

import pytest

from assay.core import DataError, SampleError
from assay.samples.json_pairs import (
    JsonPair,
    folder_pairs,
    match_folders,
    read_outputs,
    read_text,
    record_pairs,
)


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def test_text_comes_from_a_file_or_standard_input(write, monkeypatch):
    write("a.json", '\ufeff{"سعر": 1}')
    assert read_text("a.json") == '{"سعر": 1}'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"b": 2}')))
    assert read_text("-") == '{"b": 2}'


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("none.json", DataError, "no such file: 'none.json'"),
        ("folder", DataError, "'folder' is a folder; expected a file"),
        ("latin.json", SampleError, "'latin.json' is not UTF-8 at byte 3"),
    ],
)
def test_what_cannot_be_read_is_named(write, name, kind, said):
    write("folder/a.json", "{}")
    write("latin.json", b'{"\xe9": 1}')
    with pytest.raises(kind) as refusal:
        read_text(name)
    assert str(refusal.value) == said


def test_outputs_are_one_a_file_or_one_a_line(write):
    write("a.json", "{\n}")
    write("b.jsonl", '{"x": 1}\n\n{"x": 2\n')
    assert read_outputs(["a.json", "b.jsonl"]) == [
        ("a.json", "{\n}"),
        ("b.jsonl, line 1", '{"x": 1}'),
        ("b.jsonl, line 3", '{"x": 2'),
    ]


def test_folders_are_matched_by_name(write):
    for name in ("gt/a.json", "gt/in/b.json", "gt/c.json", "aio/a.json", "aio/in/b.json"):
        write(name, name)
    write("aio/d.json", "d")
    write("aio/notes.txt", "no document")
    folders = match_folders("gt", "aio")
    assert folders.both == ("a.json", "in/b.json")
    assert folders.only_ground_truths == ("c.json",)
    assert folders.only_outputs == ("d.json",)
    assert list(folder_pairs(folders)) == [
        JsonPair("a.json", "gt/a.json", "aio/a.json"),
        JsonPair("in/b.json", "gt/in/b.json", "aio/in/b.json"),
    ]


def test_a_file_of_a_folder_that_cannot_be_read_does_not_stop_the_others(write):
    for name in ("gt/a.json", "gt/b.json", "aio/b.json"):
        write(name, "{}")
    write("aio/a.json", b"\xff")
    problem, pair = folder_pairs(match_folders("gt", "aio"))
    assert isinstance(problem, SampleError)
    assert "'aio/a.json' is not UTF-8" in str(problem)
    assert pair == JsonPair("b.json", "{}", "{}")


def test_folders_without_documents_are_refused(write):
    write("gt/a.txt", "")
    write("aio/a.txt", "")
    with pytest.raises(DataError, match=r"neither .gt. nor .aio. holds a \.json file"):
        match_folders("gt", "aio")


def test_records_give_pairs_under_any_of_their_names(write):
    write(
        "p.jsonl",
        '{"id": "x", "gt": {"a": 1}, "aio": {"a": 2}}\n'
        '{"expected_json": "{}", "response": "{\\"a\\": 1,}"}\n'
        "broken\n"
        '{"gt": {"a": 1}}\n',
    )
    first, second, broken, bare = record_pairs("p.jsonl")
    assert first == JsonPair("x", {"a": 1}, {"a": 2})
    assert second == JsonPair("line-2", "{}", '{"a": 1,}')
    assert "p.jsonl, line 3: invalid JSON" in str(broken)
    assert str(bare) == "p.jsonl, line-4: no 'aio'"
