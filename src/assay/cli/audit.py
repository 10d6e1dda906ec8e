"""`assay audit`: whether the audit trail is whole."""

from __future__ import annotations

import click

from assay.cli.options import json_option, open_chosen_store, store_option
from assay.core.jsontext import dumps


@click.group("audit")
def command() -> None:
    """Check the audit trail, to which the database only lets entries be added."""


@command.command("check")
@click.option(
    "--expect",
    metavar="DIGEST",
    help="The digest that an earlier check printed; shows whether the end was cut off.",
)
@store_option
@json_option
def check(expect: str | None, store: str | None, as_json: bool) -> None:
    """Read the whole trail, and print the digest of its newest entry.

    Keep the digest where those who administer the database cannot change it.
    """
    from assay.store.audit import check_trail

    state = check_trail(open_chosen_store(store), expect)
    if as_json:
        click.echo(dumps({"entries": state.entries, "digest": state.digest}, indent=2))
        return
    click.echo(state.digest)
    click.echo(f"The audit trail is whole: {state.entries} entries.", err=True)
