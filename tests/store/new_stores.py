"""New stores for tests: copies of one whose tables were made once in this process."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.store import open_store


@cache
def _tables() -> bytes:
    """The file of a store without a run."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "assay.db"
        open_store(f"sqlite:///{path}").close()
        return path.read_bytes()


def new_sqlite(path: Path) -> str:
    """The URL of a new store in a file."""
    path.touch(0o600)
    path.write_bytes(_tables())
    return f"sqlite:///{path}"
