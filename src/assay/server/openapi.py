"""The API's description; `python -m assay.server.openapi` prints it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from assay.core.jsontext import dumps
from assay.server.config import ServerConfig
from assay.server.schemas.base import ERRORS
from assay.settings import Settings


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an app; what every operation shares stands in it once."""
    if app.openapi_schema is None:
        version = "1"  # of the API, so that the document stands still at a release
        description = get_openapi(
            title=app.title, version=version, summary=app.summary, routes=app.routes
        )
        app.openapi_schema = _secured(_shortened(description))
    return app.openapi_schema


def _shortened(description: dict[str, Any]) -> dict[str, Any]:
    """Answers to failed requests by reference: they are the same everywhere."""
    shared = description["components"].setdefault("responses", {})
    for operations in description["paths"].values():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if answer.get("description") == ERRORS.get(int(status), {}).get("description"):
                    shared[f"Error{status}"] = answer
                    operation["responses"][status] = {
                        "$ref": f"#/components/responses/Error{status}"
                    }
    return description


def _secured(description: dict[str, Any]) -> dict[str, Any]:
    """Where a key goes."""
    description["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    }
    description["security"] = [{"bearer": []}, {"key": []}]
    return description


def document() -> dict[str, Any]:
    """The OpenAPI document of a server at its defaults."""
    from assay.server.app import create_app

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.load(overrides={"store": str(Path(folder) / "assay.db")})
        app = create_app(ServerConfig(settings, uploads=Path(folder) / "uploads"))
        try:
            description: dict[str, Any] = app.openapi()
        finally:
            app.state.store.close()
    return description


if __name__ == "__main__":
    sys.stdout.write(dumps(document(), indent=2) + "\n")
