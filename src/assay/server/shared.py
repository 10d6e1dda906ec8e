"""What several routes ask of the app: its jobs and uploads, and which test is meant."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from assay.core import NotFoundError
from assay.server.jobs import Jobs
from assay.server.schemas.configuration import VersionEntry
from assay.server.uploads import Uploads
from assay.store import Store
from assay.store.configuration import Version
from assay.store.live_sessions import find_session
from assay.store.statistics import iso
from assay.store.tests import find_test, parse_test_id


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.projects.jobs(request.scope["assay.principal"].project)
    return jobs


def _uploads(request: Request) -> Uploads:
    return _jobs(request).uploads


TheJobs = Annotated[Jobs, Depends(_jobs)]
"""The jobs of the project that the request is about."""
TheUploads = Annotated[Uploads, Depends(_uploads)]
"""The uploads of the project that the request is about."""


def test_of(store: Store, id: str) -> int:
    """The test that is meant: the newest of a session, or the one of that id."""
    try:
        return find_session(store, id)[0]
    except NotFoundError:
        return find_test(store, parse_test_id(id)).test_id


def version_entry(version: Version) -> VersionEntry:
    """A version as it is answered."""
    return VersionEntry(
        name=version.name,
        version=version.version,
        created=iso(version.created),
        author=version.author,
        is_removed=not version.body,
    )
