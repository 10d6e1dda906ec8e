"""The dashboard's own files: a page and its scripts, without any data, so anybody may have them."""

from __future__ import annotations

import gzip
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from mimetypes import guess_type
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from assay.core import NotFoundError
from assay.server.access import role
from assay.server.requests import JsonAnswer, make_router

router = make_router("pages")
HINT = {
    "assay": "The API is below /v1; its description is at /v1/openapi.json.",
    "page": "The dashboard is not part of this installation.",
}


VIEWS = (
    *("runs", "compare", "matrix", "failures", "targets", "families", "labels"),
    *("json", "try", "governance", "configuration"),
)
"""The addresses of the dashboard's views; `/metrics` is what Prometheus reads."""


@cache
def static_files() -> dict[str, Traversable]:
    """The built files by their path; the list is all there is, so no path leads elsewhere."""
    root = files("assay.server") / "static"
    return dict(_walk(root, "")) if root.is_dir() else {}


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    entries: list[tuple[str, Traversable]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = f"{prefix}{entry.name}"
        entries += _walk(entry, f"{path}/") if entry.is_dir() else [(path, entry)]
    return entries


@router.get("/", include_in_schema=False)
@role("public")
def get_page() -> Response:
    """The page; which of its views is shown stands behind the # of the address."""
    page = static_files().get("index.html")
    if page is None:
        return JsonAnswer(HINT)
    return Response(page.read_bytes(), media_type="text/html; charset=utf-8")


@role("public")
def get_view(request: Request, name: str = "") -> Response:
    """An address as people type it, `/runs/monday`, leads to the view behind the `#`."""
    if "index.html" not in static_files():
        raise NotFoundError("there is no such page")
    page = request.url.path.split("/")[1]
    path = f"/{page}/{quote(name, safe='')}" if name else f"/{page}"
    search = f"?{request.url.query}" if request.url.query else ""
    back = "../" * (1 + name.count("/")) if name else "./"
    return RedirectResponse(f"{back}#{path}{search}", status_code=307)


for _view in VIEWS:
    router.get(f"/{_view}", include_in_schema=False)(get_view)
for _view in ("runs", "tests"):
    router.get(f"/{_view}/{{name:path}}", include_in_schema=False)(get_view)


@router.get("/assets/{path:path}", include_in_schema=False)
@router.get("/favicon.ico", include_in_schema=False)
@role("public")
def get_asset(request: Request) -> Response:
    """A script, a style or a picture of the page; built names change with their content."""
    path = request.url.path.removeprefix("/")
    file = static_files().get(path)
    if file is None:
        raise NotFoundError("there is no such file")
    kind = guess_type(path)[0] or "application/octet-stream"
    caching = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    if path.endswith((".js", ".css")) and _takes_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"] = "gzip"
        return Response(_packed(file.read_bytes()), media_type=kind, headers=headers)
    return Response(file.read_bytes(), media_type=kind, headers=headers)


def _takes_gzip(accepted: str) -> bool:
    """Whether a browser says that it unpacks gzip, and does not say that it would rather not."""
    words = [part.replace(" ", "") for part in accepted.lower().split(",")]
    return any(word.partition(";")[0] == "gzip" and not word.endswith("q=0") for word in words)


@lru_cache(maxsize=64)  # the built files are fewer
def _packed(content: bytes) -> bytes:
    """A file in a third of its size."""
    return gzip.compress(content, mtime=0)
