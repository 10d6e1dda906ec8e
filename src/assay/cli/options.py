"""Options that several commands share."""

from __future__ import annotations

import click

json_option = click.option("--json", "as_json", is_flag=True, help="Print as JSON, for programs.")
plugin_option = click.option(
    "--plugin",
    multiple=True,
    metavar="MODULE|FILE.py",
    help="A module with metrics of your own. May be given several times.",
)
