"""Files that grow when they are read: refused, or read within bounds, and never by the server."""

import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.server.bombs import BOMBS, GZIP, PACKED, PARQUET, TEXT

from assay.core import UsageError
from assay.server.config import RequestLimits
from assay.server.uploads import Uploads
from assay.store.audit import AuditStamp

pytest.importorskip("pyarrow")
HARMLESS = {"a page larger than it is.parquet", "a map.parquet", "groups of one row.parquet"}
"""Those that hold no more than may be read, however they look."""
PARENT_GROWTH = 50 * 1024
"""Kilobytes by which the server's own memory may grow."""


@pytest.fixture(scope="module")
def uploads(tmp_path_factory):
    found = Uploads(tmp_path_factory.mktemp("bombs"), RequestLimits())
    found.prepare()
    return found


def peak():
    """The most memory that this process has had, in kilobytes; since `forget_peak` where the
    system tells."""
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0])
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def forget_peak():
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def read(uploads, name):
    """What became of the file, and how much memory the server took for it."""
    made = BOMBS[name]()
    incoming = uploads.begin(name)
    for block in [made] if isinstance(made, bytes) else made:
        incoming.write(block)
    del made
    forget_peak()
    before = peak()
    try:
        return incoming.finish(AuditStamp("ann", 1.0)), peak() - before
    except UsageError as error:
        return str(error), peak() - before
    finally:
        incoming.close()


def test_there_are_enough_of_them():
    assert len(BOMBS) == len(PARQUET) + len(GZIP) + len(PACKED) + len(TEXT) >= 40


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_or_a_bad_record(uploads, name):
    found, growth = read(uploads, name)
    assert growth < PARENT_GROWTH
    left = [path.name for path in uploads.folder.iterdir()]
    assert not [name for name in left if "raw" in name or "part" in name]
    if isinstance(found, str):
        assert found.startswith(f"{name!r} ")
        assert left == []
        return
    assert found.problems == (0 if name in HARMLESS else found.rows)
    assert found.rows <= RequestLimits().rows
    uploads.remove(found.id)


@pytest.mark.parametrize("name", PACKED)
def test_what_is_packed_is_known_by_its_content(uploads, name):
    found, _ = read(uploads, name)
    assert "expected text: unpack it, or give it the ending of its format" in found


@pytest.mark.parametrize(("share", "ends_with"), [(0.5, 0), (1.0, 1)])
def test_the_system_refuses_a_reader_more_memory_than_it_may_take(share, ends_with):
    program = (
        "from assay.server.upload_reader import MEMORY, limit_process\n"
        "limit_process(size=1)\n"
        f"bytearray(int(MEMORY * {share}))\n"
    )
    reader = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert reader.returncode == ends_with
    assert ("MemoryError" in reader.stderr) == bool(ends_with)
