"""`assay serve`: the dashboard and the API."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path

import click

from assay.cli.options import config_option, environment_option, read_settings, store_option
from assay.core import UsageError
from assay.core.extras import require
from assay.server.config import ServerConfig, check_address, check_host, is_loopback
from assay.store import Store


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=8040,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port to listen on; 0 picks a free one.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME[:PORT]",
    help="An additional host name of the server, such as behind a proxy; a key is then "
    "needed. May be given several times.",
)
@click.option(
    "--trust-proxy",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For says where requests come from, for counting wrong "
    "keys. May be given several times.",
)
@click.option(
    "--insecure-no-key",
    is_flag=True,
    help="Allow everything without a key to anyone who can reach the server.",
)
@click.option(
    "--uploads",
    default=".assay/uploads",
    show_default=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where uploaded files are stored.",
)
@store_option
@config_option
@environment_option
def command(
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    trust_proxy: tuple[str, ...],
    insecure_no_key: bool,
    uploads: Path,
    store: str | None,
    config: str | None,
    environment: str | None,
) -> int:
    """Serve the dashboard and the API, by default for this machine only.

    Any other address than loopback, and any further name, needs keys: make one with "assay keys
    create". Ctrl-C stops the server after the requests that are under way.
    """
    require("fastapi", "server")
    settings = read_settings(config, environment, store=store)
    if settings.store == "none":
        raise UsageError("the server needs a store; name one with --store")
    names = tuple(map(check_host, allow_host))
    needs_key = (not is_loopback(host) or bool(names)) and not insecure_no_key
    opened = _bound(host, port)
    try:
        chosen = ServerConfig(
            settings,
            host=host,
            port=opened.getsockname()[1],
            allowed_hosts=names,
            require_key=needs_key,
            trusted_proxies=frozenset(map(check_address, trust_proxy)),
            uploads=uploads.resolve(),
            workers=settings.workers,
        )
        if insecure_no_key:
            click.echo("Warning: no key is needed; who reaches the server may do all.", err=True)
        _serve(chosen, opened)
    finally:
        opened.close()
    return 0


def _bound(host: str, port: int) -> socket.socket:

    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"the host is {host!r}, which is no address: {error.strerror}") from None
    try:
        if os.name == "posix":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
    except OSError as error:
        opened.close()
        raise UsageError(f"{host}:{port} cannot be used: {error.strerror}") from None
    return opened


def _serve(config: ServerConfig, opened: socket.socket) -> None:
    from assay.server.app import create_app
    from assay.server.connections import Connections, GuardedServer, within_file_limit
    from assay.server.redact import set_up_logging

    app = create_app(config)
    try:
        if config.require_key:
            _check_keys(app.state.store)
        set_up_logging(app.state.redactor, "WARNING")
        server = GuardedServer(
            app,
            Connections(within_file_limit(config.connections), config.trusted_proxies),
            access_log=False,
            lifespan="on",
            log_config=None,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=10,
        )
        opened.listen()  # from here on requests wait, and none is turned away
        click.echo(f"Assay is at {config.url} (Ctrl-C stops it).", err=True)
        with suppress(KeyboardInterrupt):  # uvicorn stops gracefully, then hands the signal on
            server.run(sockets=[opened])
        click.echo("Stopped.", err=True)
    finally:
        app.state.store.close()


def _check_keys(store: Store) -> None:

    from assay.store.stored_keys import has_keys

    if not has_keys(store, time.time()):
        raise UsageError(
            "others could reach this server, and there is no valid key to keep them out; make one "
            "with: assay keys create NAME --role admin (or serve at 127.0.0.1, for this machine "
            "alone)"
        )
