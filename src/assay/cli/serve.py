"""`assay serve`: the dashboard and the API."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import click

from assay.cli.options import config_option, environment_option, read_settings, store_option
from assay.core import UsageError
from assay.core.extras import require
from assay.server.config import (
    OidcConfig,
    ServerConfig,
    check_address,
    check_host,
    is_loopback,
)
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
    "needed. Repeatable.",
)
@click.option(
    "--trust-proxy",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For says where requests come from, for counting wrong "
    "keys. Repeatable.",
)
@click.option(
    "--insecure-no-key",
    is_flag=True,
    help="Allow everything without a key to anyone who can reach the server.",
)
@click.option(
    "--oidc-issuer",
    metavar="URL",
    help="The identity provider through which people log in (OpenID Connect).",
)
@click.option(
    "--oidc-client-id",
    metavar="ID",
    help="What the provider calls this server; with --oidc-issuer.",
)
@click.option(
    "--public-url",
    metavar="URL",
    help="Where browsers reach this server, such as https://assay.example.org; with --oidc-issuer.",
)
@click.option(
    "--oidc-groups-claim",
    default="groups",
    show_default=True,
    metavar="NAME",
    help="The claim with the groups of a user.",
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
    oidc_issuer: str | None,
    oidc_client_id: str | None,
    public_url: str | None,
    oidc_groups_claim: str,
    uploads: Path,
    store: str | None,
    config: str | None,
    environment: str | None,
) -> int:
    """Serve the dashboard and the API, by default for this machine only.

    Any other address than loopback, and any further name, needs keys: make one with "assay keys
    create". With --oidc-issuer people log in through an identity provider; the client's secret is
    read from the variable ASSAY_OIDC_CLIENT_SECRET, and "assay projects" grants access.
    Ctrl-C stops the server once the current requests are finished.
    """
    require("fastapi", "server")
    settings = read_settings(config, environment, store=store)
    if settings.store == "none":
        raise UsageError("the server needs a store; name one with --store")
    oidc = _oidc(oidc_issuer, oidc_client_id, public_url, oidc_groups_claim)
    names = tuple(map(check_host, allow_host))
    if oidc is not None:
        names = (*names, check_host(urlsplit(oidc.public_url).netloc))
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
            oidc=oidc,
        )
        if insecure_no_key:
            click.echo("Warning: no key is needed; who reaches the server may do all.", err=True)
        _serve(chosen, opened)
    finally:
        opened.close()
    return 0


def _oidc(
    issuer: str | None, client_id: str | None, public_url: str | None, groups_claim: str
) -> OidcConfig | None:
    """The identity provider that the options describe; None where they name none."""
    if issuer is None and client_id is None:
        return None
    if issuer is None or client_id is None or public_url is None:
        raise UsageError("logging in needs all of --oidc-issuer, --oidc-client-id and --public-url")
    require("jwt", "oidc")
    from assay.server.oidc import checked_url

    return OidcConfig(
        checked_url(issuer, "the issuer"),
        client_id,
        checked_url(public_url, "the public URL").rstrip("/"),
        os.environ.get("ASSAY_OIDC_CLIENT_SECRET", ""),
        groups_claim,
    )


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
        if config.require_key and config.oidc is None:
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
