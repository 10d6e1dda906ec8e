"""Whether the server is up."""

from __future__ import annotations

from typing import Literal

from assay.server.access import role
from assay.server.requests import TheStore, make_router
from assay.server.schemas.base import ResponseModel
from assay.store.migrate import revision

router = make_router("health")


class Health(ResponseModel):
    """The server and its store answer."""

    status: Literal["ok"] = "ok"


@router.get("/v1/health", operation_id="get_health")
@router.get("/health", include_in_schema=False)
@role("public")
def get_health(store: TheStore) -> Health:
    """Whether the server is up and reaches its store; says nothing else, for anybody may ask."""
    store.read(revision)
    return Health()
