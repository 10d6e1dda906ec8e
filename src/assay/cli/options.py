"""Options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from assay.settings import Settings

json_option = click.option("--json", "as_json", is_flag=True, help="Print as JSON, for programs.")
plugin_option = click.option(
    "--plugin",
    multiple=True,
    metavar="MODULE|FILE.py",
    help="A module with metrics of your own. May be given several times.",
)
config_option = click.option(
    "--config",
    default=None,
    metavar="FILE",
    help="Settings to read. Default: $ASSAY_CONFIG, else assay.toml here or up to the "
    "repository's root.",
)
environment_option = click.option(
    "--environment",
    default=None,
    metavar="NAME",
    help="Which [environments.NAME] of the settings to use. Default: $ASSAY_ENV.",
)


def read_settings(config: str | None, environment: str | None, **overrides: Any) -> Settings:
    """The settings of this process; an override of None was not given."""
    import os
    from pathlib import Path

    from assay.settings import Settings

    return Settings.load(Path.cwd(), os.environ, overrides, config=config, environment=environment)
