"""Which file system a file lies on, as far as the system tells."""

from __future__ import annotations

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
"""What is mounted where, on Linux; see `man 5 proc_pid_mountinfo`."""
NETWORK = frozenset(
    {
        *("9p", "afs", "beegfs", "ceph", "cifs", "coda", "gfs2", "gpfs", "lustre", "ncpfs", "nfs"),
        *("nfs4", "ocfs2", "orangefs", "smb3", "smbfs", "virtiofs"),
        *("fuse.ceph", "fuse.gcsfuse", "fuse.glusterfs", "fuse.goofys", "fuse.juicefs"),
        *("fuse.rclone", "fuse.s3fs", "fuse.sshfs"),
    }
)
"""Types of file systems that several machines may have open at once."""


def is_on_network(path: Path) -> bool:
    """Whether other machines may have the file open too; no where the system does not tell."""
    return file_system(path) in NETWORK


def file_system(path: Path) -> str:
    """The type of the file system that holds a path, such as `ext4`; empty where it is unknown."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # not Linux
        return ""
    place = path.resolve()
    deepest, kind = -1, ""
    for line in lines:
        mount, _, rest = line.partition(" - ")
        point = Path(_plain(mount.split(" ")[4]))
        if len(point.parts) >= deepest and place.is_relative_to(point):  # a later one covers it
            deepest, kind = len(point.parts), rest.split(" ")[0]
    return kind


def _plain(escaped: str) -> str:
    r"""A path without its escapes: a blank is `\040`."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), escaped)
