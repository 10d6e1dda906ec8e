"""`assay settings`: what is set, and where."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.console import console
from assay.cli.options import config_option, environment_option, json_option, read_settings
from assay.core.jsontext import dumps
from assay.core.secrets import redactor
from assay.settings import ExplainedSetting


@click.command("settings")
@config_option
@environment_option
@json_option
def command(config: str | None, environment: str | None, as_json: bool) -> None:
    """Show every setting: its value, and the file or variable that sets it.

    In order of precedence: the command line, environment variables, the chosen environment of the
    configuration file, the file's top level, defaults.
    """
    explained = read_settings(config, environment).explain()
    if as_json:
        click.echo(dumps([_listed(entry) for entry in explained], indent=2))
    else:
        _print_table(explained)


def _listed(entry: ExplainedSetting) -> dict[str, Any]:
    return {
        "name": entry.setting.name,
        "value": _hidden(entry.value),
        "source": entry.source,
        "default": entry.setting.default,
        "variables": entry.setting.variables,
        "help": entry.setting.help,
    }


def _print_table(explained: list[ExplainedSetting]) -> None:
    from rich.table import Table
    from rich.text import Text

    from assay.report.safe_text import visible

    table = Table(box=None, pad_edge=False)
    for heading in ("setting", "value", "source"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "setting")
    for setting, value, source in explained:
        table.add_row(setting.name, Text(visible(_shown(_hidden(value)))), Text(visible(source)))
    console().print(table)


def _hidden(value: Any) -> Any:
    """The value without the passwords and keys that an address may hold."""
    return redactor()(value) if isinstance(value, str) else value


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(value) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{name}={_shown_part(part)}" for name, part in value.items()) or "–"
    return str(value) or "–"


def _shown_part(part: float | str) -> str:
    return part if isinstance(part, str) else f"{part:g}"
