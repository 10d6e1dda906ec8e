from pathlib import Path

import pytest

from assay.core import file_system
from assay.core.sqlite_journal import SAFE_WAL, journal_mode

MOUNTS = r"""
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
23 22 0:5 / /proc rw - proc proc rw
40 22 0:40 /export /home rw shared:7 - nfs4 files:/export rw,vers=4.2
41 40 0:41 / /home/ann/scratch rw - tmpfs tmpfs rw
42 22 0:42 / /mnt/team\040share rw - cifs //files/team rw
43 22 0:43 / /mnt/twice rw - ext4 /dev/sdb1 rw
44 43 0:44 / /mnt/twice rw - fuse.sshfs ann@files: rw
""".lstrip()


@pytest.fixture(autouse=True)
def mounts(tmp_path, monkeypatch):
    file = tmp_path / "mountinfo"
    file.write_text(MOUNTS, encoding="utf-8")
    monkeypatch.setattr(file_system, "MOUNTS", file)


@pytest.mark.parametrize(
    ("path", "kind", "is_on_network"),
    [
        ("/var/assay.db", "ext4", False),
        ("/home/ann/assay.db", "nfs4", True),
        ("/homely/assay.db", "ext4", False),
        ("/home/ann/scratch/assay.db", "tmpfs", False),
        ("/mnt/team share/a/assay.db", "cifs", True),
        ("/mnt/twice/assay.db", "fuse.sshfs", True),
    ],
)
def test_a_network_file_system_is_noticed(path, kind, is_on_network):
    assert file_system.file_system(Path(path)) == kind
    assert file_system.is_on_network(Path(path)) == is_on_network


def test_a_write_ahead_log_is_not_kept_on_a_network(monkeypatch, tmp_path):
    assert journal_mode(SAFE_WAL, Path("/var/assay.db")) == "WAL"
    assert journal_mode(SAFE_WAL, Path("/home/ann/assay.db")) == "TRUNCATE"
    monkeypatch.setattr(file_system, "MOUNTS", tmp_path / "not there")
    assert journal_mode(SAFE_WAL, Path("/home/ann/assay.db")) == "WAL"
