"""Files to evaluate: sent once, then named by an id of the server's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from itertools import islice
from typing import Annotated

import anyio
from anyio import to_thread
from fastapi import HTTPException, Query, Request

from assay.core import SampleError, UsageError
from assay.core.errors import ColumnError
from assay.engine.problems import Problems
from assay.samples.columns import LOOKED_AT
from assay.samples.field_names import fields
from assay.server.access import role
from assay.server.column_choice import METADATA, cell, find_columns
from assay.server.multipart import FilePart
from assay.server.requests import TheChange, TheStore, make_router
from assay.server.schemas.base import UploadId
from assay.server.schemas.jobs import (
    ColumnDoubt,
    ColumnEntry,
    PreviewBody,
    UploadEntry,
    UploadPreview,
)
from assay.server.shared import TheUploads
from assay.server.uploads import Incoming, TooLargeError, Upload, Uploads
from assay.store.audit import AuditStamp, record_change
from assay.store.jobs import uploads_in_use
from assay.store.statistics import iso

router = make_router("uploads")

IDLE_SECONDS = 60.0
"""Seconds after which a client that sends nothing is dropped."""
READERS = 2
"""Files that are read at a time; each may need 2 GB of memory."""
BLOCK = 2**20
"""Bytes that are written at a time."""
SHOWN = 5
"""Records of a preview."""
CHECKED = 10_000
"""Records of a preview that are read to find what is wrong with them."""
USUAL = ("query", "response", "expected", "contexts", "id", "tags", "language")
"""Fields that most files have, in the order in which they are offered."""
_FILE = {"type": "string", "format": "binary"}
_BODY = {
    "required": True,
    "content": {
        "application/octet-stream": {"schema": _FILE},
        "multipart/form-data": {
            "schema": {"type": "object", "properties": {"file": _FILE}, "required": ["file"]}
        },
    },
}


@router.post(
    "/v1/uploads",
    operation_id="create_upload",
    status_code=201,
    openapi_extra={"requestBody": _BODY},
)
@role("write", upload=True)
async def create_upload(
    request: Request,
    uploads: TheUploads,
    change: TheChange,
    name: Annotated[str, Query(max_length=300)] = "",
) -> UploadEntry:
    """Send a file as the body, named by `name`, or as the one file of a form.

    The ending of the name says the format: .jsonl, .ndjson, .jsonl.gz, .json, .csv or .parquet. The
    file is read once to count its records; what one of them lacks is reported by the run.
    """
    try:
        upload = await _received(request, uploads, name, change)
    except TooLargeError as error:
        raise HTTPException(413, str(error)) from None
    return upload_entry(upload)


async def _received(request: Request, uploads: Uploads, name: str, change: AuditStamp) -> Upload:
    kind = request.headers.get("content-type", "")
    part = FilePart(kind) if kind.lower().startswith("multipart/") else None
    incoming: Incoming | None = None if part else await to_thread.run_sync(uploads.begin, name)
    try:
        async for block in _blocks(request):
            data = part.feed(block) if part else block
            if incoming is None and part and part.name is not None:
                incoming = await to_thread.run_sync(uploads.begin, name or part.name)
            if incoming and data:
                await to_thread.run_sync(incoming.write, data)
        if incoming is None or (part and not part.is_complete):
            raise UsageError("the form holds no whole file; expected one part with a file name")
        readers = _readers(request)
        return await to_thread.run_sync(incoming.finish, change, limiter=readers)
    finally:
        if incoming:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(incoming.close)


def _readers(request: Request) -> anyio.CapacityLimiter:
    """Limits how many files are read at a time; the others wait, and hold up no other request."""
    state = request.app.state
    if not hasattr(state, "readers"):
        state.readers = anyio.CapacityLimiter(READERS)
    limiter: anyio.CapacityLimiter = state.readers
    return limiter


async def _blocks(request: Request) -> AsyncIterator[bytes]:
    """The body in blocks that are worth a write each."""
    waiting = bytearray()
    stream = aiter(request.stream())
    while True:
        try:
            with anyio.fail_after(IDLE_SECONDS):
                data = await anext(stream, None)
        except TimeoutError:
            raise HTTPException(408, "the body does not come") from None
        if data is None:
            break
        waiting += data
        if len(waiting) >= BLOCK:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)


@router.get("/v1/uploads", operation_id="list_uploads")
@role("read")
def get_uploads(uploads: TheUploads) -> list[UploadEntry]:
    """All uploads, the newest first."""
    return [upload_entry(upload) for upload in uploads.all()]


@router.get("/v1/uploads/{upload_id}", operation_id="get_upload")
@role("read")
def get_upload(upload_id: UploadId, uploads: TheUploads) -> UploadEntry:
    """One upload."""
    return upload_entry(uploads.find(upload_id))


@router.post("/v1/uploads/{upload_id}/preview", operation_id="preview_upload")
@role("write")
def preview_upload(upload_id: UploadId, body: PreviewBody, uploads: TheUploads) -> UploadPreview:
    """How an upload is read with these columns: its first records, and what is wrong with it."""
    upload = uploads.find(upload_id)
    records = list(islice(uploads.records(upload_id), LOOKED_AT))
    choice = find_columns(upload.name, records, body.format, body.columns)
    problems, checked, unreadable = Problems(), 0, 0
    if choice.doubt is None and choice.reading.has_answers:
        for item in uploads.samples(upload_id, body.format, CHECKED, body.columns):
            checked += 1
            if isinstance(item, SampleError):
                unreadable += 1
                problems.add(str(item))
    read = choice.reading.fields
    return UploadPreview(
        columns=[
            ColumnEntry(
                name=column,
                field=None if body.columns.get(column) == METADATA else read.get(column),
                values=[cell(record.get(column)) for record in choice.first[:SHOWN]],
            )
            for column in dict.fromkeys(key for record in choice.first for key in record)
        ],
        fields=sorted((field.name for field in fields()), key=_use),
        doubt=_doubt(choice.doubt) if choice.doubt else None,
        has_answers=choice.reading.has_answers,
        checked=checked,
        unreadable=unreadable,
        problems=list(problems.lines()),
    )


def _doubt(error: ColumnError) -> ColumnDoubt:
    return ColumnDoubt(field=error.field, columns=list(error.columns), problem=error.problem)


def _use(field: str) -> int:
    """The place of a field in a list to choose from: what most files have comes first."""
    return USUAL.index(field) if field in USUAL else len(USUAL)


@router.delete("/v1/uploads/{upload_id}", operation_id="delete_upload", status_code=204)
@role("write")
def delete_upload(
    upload_id: UploadId, uploads: TheUploads, store: TheStore, change: TheChange
) -> None:
    """Remove an upload that no job needs."""
    uploads.find(upload_id)
    if upload_id in uploads_in_use(store):
        raise HTTPException(409, "a job needs this upload; cancel the job first")
    removed = uploads.remove(upload_id)
    details = {"name": removed.name}
    record_change(store, change, "upload.removed", upload_id, details)


def upload_entry(upload: Upload) -> UploadEntry:
    """An upload as it is answered."""
    return UploadEntry(**{**asdict(upload), "created": iso(upload.created)})
