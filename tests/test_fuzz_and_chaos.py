"""What looks for faults finds them: without the defence each of these fails."""

import random

import pytest
from tests import chaos, fuzz
from tests.chaos import LostError, Scene
from tests.fuzz import Broken

from assay.core.atomic_file import PartFile
from assay.core.errors import ColumnError


def rng():
    return random.Random(1)  # noqa: S311 -- the same input every time


def test_the_same_seed_gives_the_same_input():
    one, other = rng(), rng()
    assert [fuzz.json_text(one) for _ in range(100)] == [fuzz.json_text(other) for _ in range(100)]


def test_texts_that_do_not_come_back_are_found(tmp_path, monkeypatch):
    assert fuzz.json_texts(rng(), 200, tmp_path) >= 200
    monkeypatch.setattr(fuzz, "dumps", lambda value: "0")
    with pytest.raises(Broken, match="is not read back"):
        fuzz.json_texts(rng(), 200, tmp_path)


def test_a_reader_that_leaves_records_out_is_found(tmp_path, monkeypatch):
    read = fuzz.read_samples
    assert fuzz.readers(rng(), 1000, tmp_path) >= 1000
    monkeypatch.setattr(fuzz, "read_samples", lambda path: list(read(path))[::2])
    with pytest.raises(Broken, match="lines were told of"):
        fuzz.readers(rng(), 1000, tmp_path)


def test_a_file_that_is_refused_for_its_columns_is_counted_and_too_many_are_found(
    tmp_path, monkeypatch, capsys
):
    read, calls = fuzz.read_samples, iter(range(100))

    def refuse_every_third(path):
        if next(calls) % 3 == 0:
            raise ColumnError(
                "two columns may give the response", "name one", "response", ("a", "b")
            )
        return read(path)

    monkeypatch.setattr(fuzz, "read_samples", refuse_every_third)
    assert fuzz.readers(rng(), 5000, tmp_path) >= 5000
    assert " 1 of them refused" in capsys.readouterr().err
    with pytest.raises(Broken, match="files were refused"):
        fuzz.readers(rng(), 1_000_000, tmp_path)


def test_characters_that_act_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "visible", lambda text: text)
    with pytest.raises(Broken, match="acts"):
        fuzz.shown_texts(rng(), 500, tmp_path)


def test_a_verdict_without_its_nonce_is_found(tmp_path, monkeypatch):
    read = fuzz.read_verdict
    monkeypatch.setattr(
        fuzz, "read_verdict", lambda text, question, nonce: read(text, question, "abcd1235")
    )
    with pytest.raises(Broken, match="without its nonce"):
        fuzz.judge_replies(rng(), 2000, tmp_path)


def test_a_file_that_is_written_in_place_is_found(tmp_path, monkeypatch):
    assert chaos.killed_writers(Scene(tmp_path, 1, None), 10) == 10

    def open_in_place(part, target):
        part._target, part._path, part.stream = target, target, target.open("wb")

    monkeypatch.setattr(PartFile, "__init__", open_in_place)
    with pytest.raises(LostError, match="neither old nor new"):
        chaos.killed_writers(Scene(tmp_path, 1, None), 60)
