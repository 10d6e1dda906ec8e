"""Files that appear whole or not at all, however their writer ends."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from assay.core import DataError
from assay.core.atomic_file import PARTS, PartFile, write_file
from assay.report.output_files import OutputFile

OLD, NEW = "old\n" * 1000, "new\n" * 5000


def write_report(path):
    output = OutputFile(str(path))
    for _ in range(10):
        output.write(NEW[: len(NEW) // 10])
    output.commit()


def killed_at(call, work, path):
    """Whether the work was killed before that call of a function, in a process of its own."""
    if (child := os.fork()) == 0:
        left = call

        def count(frame, event, argument):
            nonlocal left
            if event in ("call", "c_call"):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(count)
        with suppress(BaseException):
            work(path)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize(
    "work", [write_report, lambda path: write_file(path, NEW)], ids=["report", "file"]
)
def test_a_writer_that_is_killed_anywhere_leaves_the_old_file_or_the_new(tmp_path, work):
    path = tmp_path / "report.json"
    kills, seen = 0, set()
    while True:
        path.write_text(OLD)
        if not killed_at(kills + 1, work, path):
            break
        kills += 1
        seen.add(path.read_text())
        assert seen <= {OLD, NEW}, kills
        assert len(list(tmp_path.glob(PARTS))) <= 1, "the next writer removes what is left"
    assert kills >= 30
    assert seen == {OLD, NEW}
    assert [file.name for file in tmp_path.iterdir()] == ["report.json"]


def test_a_part_that_is_being_written_stays(tmp_path):
    output = OutputFile(str(tmp_path / "a.json"))
    output.write("a")
    write_file(tmp_path / "b.json", "b")
    output.commit()
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a.json": "a", "b.json": "b"}


def test_a_part_that_was_taken_for_a_leftover_is_made_anew(tmp_path, monkeypatch):
    opened = Path.open
    made = []

    def open_and_lose(path, mode="r", *rest, **given):
        stream = opened(path, mode, *rest, **given)
        if mode == "xb":
            made.append(path)
            if len(made) == 1:
                path.unlink()  # another program, before the lock is ours
        return stream

    monkeypatch.setattr(Path, "open", open_and_lose)
    write_file(tmp_path / "x", "new")
    assert (len(made), (tmp_path / "x").read_text()) == (2, "new")


def test_a_file_keeps_its_permissions_and_a_link_is_followed(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, b"new")
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)
    assert link.is_symlink()


def test_what_is_no_file_is_written_to_as_it_is():
    write_file("/dev/null", "x")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("name", ["no/folder", ""])
def test_what_cannot_be_written_is_said(tmp_path, name):
    with pytest.raises(DataError, match="cannot be written"):
        write_file(tmp_path / name, "x")


def test_a_writer_that_fails_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda file: (_ for _ in ()).throw(OSError(28, "No space")))
    with pytest.raises(DataError, match="No space"):
        write_file(tmp_path / "x", "x")
    part = PartFile(tmp_path / "x")
    part.discard()
    assert list(tmp_path.iterdir()) == []
