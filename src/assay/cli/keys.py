"""`assay keys`: who may use the server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

import click

from assay.cli.console import console
from assay.cli.options import (
    age_seconds,
    change_now,
    json_option,
    open_chosen_store,
    store_option,
)
from assay.core.jsontext import dumps

if TYPE_CHECKING:
    from assay.store.stored_keys import StoredKey

_expires_option = click.option(
    "--expires", metavar="AGE", help="When the key expires: 90d, 12h, 8w from now. Default: never."
)


@click.group("keys")
def command() -> None:
    """Create, list, rotate and revoke the keys of the server.

    Only a digest of a key is stored: the key itself is printed once, when it is made.
    """


@command.command("create")
@click.argument("name")
@click.option(
    "--role",
    default="read",
    show_default=True,
    type=click.Choice(["read", "write", "admin"]),
    help="What the key allows: reading, also scoring and storing, or everything.",
)
@click.option(
    "--project", metavar="NAME", help="The one project that the key opens. Default: default."
)
@_expires_option
@store_option
def create(
    name: str, role: str, project: str | None, expires: str | None, store: str | None
) -> None:
    """Create a key called NAME, and print it."""
    from assay.server.api_keys import Role, create_key

    opened, change = open_chosen_store(store), change_now()
    ends = _end(change.now, expires)
    made = create_key(opened, name, cast("Role", role), change, ends, project)
    click.echo(made.key)
    click.echo("Keep it safe: it cannot be shown again.", err=True)


@command.command("rotate")
@click.argument("name")
@_expires_option
@store_option
def rotate(name: str, expires: str | None, store: str | None) -> None:
    """Replace the key called NAME, and print the new one; the old one is revoked."""
    from assay.server.api_keys import rotate_key

    opened, change = open_chosen_store(store), change_now()
    click.echo(rotate_key(opened, name, change, _end(change.now, expires)).key)
    click.echo("The old key has ended. Keep the new one safe.", err=True)


@command.command("revoke")
@click.argument("name")
@store_option
def revoke(name: str, store: str | None) -> None:
    """Revoke the key called NAME."""
    from assay.store.stored_keys import revoke_key

    revoke_key(open_chosen_store(store), name, change_now())
    click.echo(f"Revoked: {name}", err=True)


def _end(now: float, expires: str | None) -> float | None:
    return None if expires is None else now + age_seconds(expires)


@command.command("list")
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List all keys, without the keys themselves."""
    from assay.store.stored_keys import list_keys

    keys = [_shown(key, time.time()) for key in list_keys(open_chosen_store(store))]
    if as_json:
        click.echo(dumps(keys, indent=2))
    elif keys:
        _print(keys)
    else:
        click.echo("There is no key yet. Make one with: assay keys create NAME --role read")


def _shown(key: StoredKey, now: float) -> dict[str, Any]:
    from assay.store.statistics import iso

    has_ended = key.expires is not None and key.expires <= now
    return {
        "name": key.name,
        "role": key.role,
        "project": key.project or "default",
        "state": "revoked" if key.revoked is not None else "expired" if has_ended else "valid",
        "created": iso(key.created),
        "expires": None if key.expires is None else iso(key.expires),
    }


def _print(keys: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from assay.report.safe_text import visible

    table = Table(box=None, pad_edge=False)
    for heading in keys[0]:
        table.add_column(heading)
    for key in keys:
        table.add_row(*(visible(value or "–") for value in key.values()))
    console().print(table)
