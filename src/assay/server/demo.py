"""The demo of an empty store: the same questions answered by two versions of one system."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from assay.core.jsontext import loads
from assay.server.choices import choose
from assay.server.jobs import Jobs
from assay.store import Store
from assay.store.audit import AuditStamp
from assay.store.jobs import StoredJob

RUNS = ("demo-1", "demo-2")
"""The runs of the two versions, in their order."""
FILE = "demo_versions.jsonl"


def demo_samples(version: int) -> Iterator[dict[str, Any]]:
    """The questions of a city's help desk with the answers of a version, from 0."""
    text = (files("assay") / "data" / FILE).read_text(encoding="utf-8")
    for line in text.splitlines():
        record = loads(line)
        yield {**record, "response": record.pop("versions")[version]}


def load_demo(jobs: Jobs, store: Store, change: AuditStamp) -> list[StoredJob]:
    """Queue the runs of both versions; they are scored as any posted samples are."""
    started = []
    for version, name in enumerate(RUNS):
        upload = jobs.uploads.add_records(demo_samples(version), change, "City help desk (demo)")
        try:
            job = jobs.submit(upload.id, choose(store), change, run=name, tags=("demo",))
        except BaseException:
            jobs.uploads.remove(upload.id)
            raise
        started.append(job)
    return started
