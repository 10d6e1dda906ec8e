"""Puts the server together: routes, access control, error answers."""

from __future__ import annotations

import os
import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib import import_module
from time import time
from types import ModuleType
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.routing import BaseRoute

from assay.core.secrets import Redactor
from assay.server import routes
from assay.server.access import AccessControl, Guesses, LoginSessions
from assay.server.config import ServerConfig
from assay.server.error_answers import Failures, add_error_handlers
from assay.server.oidc import OidcClient
from assay.server.open_projects import OpenProjects
from assay.server.openapi import describe
from assay.server.requests import JsonAnswer
from assay.store import open_store
from assay.version import __version__

STORE_SECONDS = 5.0
"""How long a request waits for a store that another program holds before it gets 503."""


def create_app(config: ServerConfig) -> FastAPI:
    """The app over the store that is set; closes it when the server ends."""
    modules = list(_modules())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(app.state.store.close)
            stack.callback(app.state.projects.close)
            for module in modules:
                if hasattr(module, "lifespan"):
                    await stack.enter_async_context(module.lifespan(app))
            yield

    app = FastAPI(
        title="Assay",
        version=__version__,
        summary="Measures the quality of what AI systems answer.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # a route of ours gives the document, to those who may read
        redirect_slashes=False,
        lifespan=lifespan,
        default_response_class=JsonAnswer,
    )
    app.state.config = config
    app.state.store = open_store(config.store).waiting(STORE_SECONDS, config.limits.seconds)
    app.state.now = time
    app.state.sessions = LoginSessions(app.state.store)
    app.state.guesses = Guesses()
    secret = config.oidc.client_secret if config.oidc else ""
    app.state.redactor = Redactor.of(os.environ, urlsplit(config.store).password or "", secret)
    app.state.oidc = (
        None if config.oidc is None else OidcClient(config.oidc, lambda: float(app.state.now()))
    )
    app.state.projects = OpenProjects(
        lambda: app.state.store,
        lambda: app.state.config,
        lambda: float(app.state.now()),
        app.state.redactor,
        lambda url: open_store(url).waiting(STORE_SECONDS, config.limits.seconds),
    )
    app.openapi = partial(describe, app)  # type: ignore[method-assign] # FastAPI's own way
    all_routes = (route for module in modules for route in module.router.routes)
    app.router.routes.extend(sorted(all_routes, key=_breadth))
    add_error_handlers(app, app.state.redactor)
    app.add_middleware(Failures)
    app.add_middleware(AccessControl, owner=app)  # added last: it stands around all others
    return app


def _modules() -> Iterator[ModuleType]:
    """The files of the routes that have a router, by name."""
    for info in sorted(pkgutil.iter_modules(routes.__path__), key=lambda info: info.name):
        module = import_module(f"{routes.__name__}.{info.name}")
        if hasattr(module, "router"):
            yield module


def _breadth(route: BaseRoute) -> tuple[bool, bool]:
    """Fixed paths go first, those that swallow the rest last: `/tests/failed` is no test's id."""
    path = getattr(route, "path", "")
    return path.endswith(":path}"), "{" in path
