from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest

from assay.core import DataError
from assay.report.output_files import BLOCK, OutputFile, PackedFile, StandardOutput


def test_the_target_appears_at_commit_only(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    file = OutputFile(str(target))
    file.write("héllo")
    assert not target.exists()
    file.commit()
    assert target.read_text(encoding="utf-8") == "héllo"
    assert list(tmp_path.iterdir()) == [target]


def test_a_database_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    content = b"SQLite format 3\0 and more"
    target.write_bytes(content)
    (tmp_path / "link.jsonl").symlink_to(target)
    for name in ("out.jsonl", "link.jsonl"):
        with pytest.raises(DataError, match=r"is a database, which would be lost"):
            OutputFile(str(tmp_path / name))
    assert target.read_bytes() == content
    assert len(list(tmp_path.iterdir())) == 2


def test_discard_leaves_an_existing_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    file = OutputFile(str(target))
    file.write("new")
    file.discard()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_discard_after_commit_does_nothing(tmp_path: Path) -> None:
    file = OutputFile(str(tmp_path / "out.txt"))
    file.commit()
    file.discard()
    assert (tmp_path / "out.txt").exists()


def test_rewrite_start_keeps_the_rest(tmp_path: Path) -> None:
    file = OutputFile(str(tmp_path / "out.txt"))
    file.write("---- body")
    file.rewrite_start("head")
    file.write(" end")
    file.commit()
    assert (tmp_path / "out.txt").read_text() == "head body end"


TEXT = "".join(f"{n} – متجر {n * n}\n" for n in range(9_000))
assert len(TEXT.encode()) > 2 * BLOCK


@pytest.mark.parametrize("size", [7, 5_000, BLOCK, len(TEXT)])
def test_a_packed_file_is_the_same_in_whatever_pieces_it_was_written(
    tmp_path: Path, size: int
) -> None:
    whole, parts = PackedFile(str(tmp_path / "a.gz")), PackedFile(str(tmp_path / "b.gz"))
    whole.write(TEXT)
    for start in range(0, len(TEXT), size):
        parts.write(TEXT[start : start + size])
    whole.commit()
    parts.commit()
    packed = (tmp_path / "a.gz").read_bytes()
    assert packed == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress(packed).decode() == TEXT


def test_an_empty_packed_file_can_be_unpacked(tmp_path: Path) -> None:
    PackedFile(str(tmp_path / "a.gz")).commit()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b""


def test_permissions_follow_the_umask_and_a_replaced_file(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    before = os.umask(0o027)
    try:
        OutputFile(str(target)).commit()
        assert target.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)
    target.chmod(0o600)
    OutputFile(str(target)).commit()
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to("real.txt")
    file = OutputFile(str(link))
    file.write("new")
    file.commit()
    assert link.is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_name_as_long_as_allowed_works(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 251 + ".txt")
    OutputFile(str(target)).commit()
    assert target.exists()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the folder '.*nowhere' does not exist"):
        OutputFile(str(tmp_path / "nowhere" / "out.txt"))


def test_a_folder_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="it is a folder"):
        OutputFile(str(tmp_path))


def test_an_error_of_the_system_names_the_file(tmp_path: Path) -> None:
    file = OutputFile(str(tmp_path / "out.txt"))
    with (
        pytest.raises(DataError, match=r"out\.txt' cannot be written: No space left"),
        file.reported(),
    ):
        raise OSError(28, "No space left on device")
    file.discard()


def test_standard_output_is_utf8(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output = StandardOutput()
    output.write("مرحبا \ud800\n")
    output.commit()
    output.discard()
    assert capfdbinary.readouterr().out == "مرحبا \\ud800\n".encode()


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_gets_no_characters_that_act_on_it(monkeypatch, is_terminal):
    class Stream(io.TextIOWrapper):
        def isatty(self):
            return is_terminal

    stream = Stream(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", stream)
    output = StandardOutput()
    output.write("a\x1b[31m\x9b31mb\n")
    output.commit()
    expected = "a\\x1b[31m\\x9b31mb\n" if is_terminal else "a\x1b[31m\x9b31mb\n"
    assert stream.buffer.getvalue().decode() == expected
