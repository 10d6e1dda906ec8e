"""Whether the server is up."""

from __future__ import annotations

from typing import Literal

from assay.server.access import role
from assay.server.requests import make_router
from assay.server.schemas.base import ResponseModel

router = make_router("health")


class Health(ResponseModel):
    """The server answers."""

    status: Literal["ok"] = "ok"


@router.get("/v1/health", operation_id="get_health")
@router.get("/health", include_in_schema=False)
@role("public", probe=True)
async def get_health() -> Health:
    """Whether the server is up; asks neither the store nor who asks, so that nothing delays it."""
    return Health()
