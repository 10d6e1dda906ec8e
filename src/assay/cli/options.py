"""Options that several commands share."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.core import UsageError
from assay.core.result_records import DETAILS
from assay.settings import Settings
from assay.store import Store, open_store

if TYPE_CHECKING:
    from assay.store.audit import AuditStamp

detail_option = click.option(
    "--detail",
    type=click.Choice(DETAILS),
    default="full",
    help="Which scores of .jsonl and .json output have explanation, evidence and details: all, "
    "those that did not pass, or none. Default: full.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
store_option = click.option(
    "--store",
    default=None,
    metavar="URL",
    help="Where runs are stored: FILE, sqlite:///FILE or postgresql://USER@HOST/NAME. "
    "Default: $ASSAY_STORE, else .assay/assay.db here.",
)
plugin_option = click.option(
    "--plugin",
    multiple=True,
    metavar="MODULE|FILE.py",
    help="A module with your own metrics. Repeatable.",
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

profile_option = click.option(
    "--profile",
    "-p",
    default=None,
    metavar="NAME|FILE",
    help="Thresholds, options and weights: conservative, balanced, lenient, chatbot, "
    "rag, content, code, or a .toml file.",
)
threshold_option = click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    metavar="ID=VALUE",
    help="A metric's threshold; overrides the profile's. Repeatable.",
)
unsure_option = click.option(
    "--unsure",
    multiple=True,
    metavar="ID=LOW:HIGH",
    help="Between these values the metric's verdict is unsure. Repeatable.",
)
embedder_option = click.option(
    "--embedder",
    default=None,
    metavar="NAME",
    help="The embedding model: use, minilm, hf:FOLDER, none. Default: use.",
)
encoder_option = click.option(
    "--encoder",
    default=None,
    metavar="FOLDER|none",
    help="The trained encoder beside the rules. Default: the installed one, where there is one.",
)
strategies_option = click.option(
    "--strategies",
    default=None,
    metavar="FILE",
    help="How JSON fields are compared: a .json file of field → EXACT, FUZZY, SEMANTIC, "
    "IGNORE, or options; overrides the profile's. Other fields are compared by type.",
)
repair_option = click.option(
    "--repair",
    is_flag=True,
    help="Repair damaged outputs where this is unambiguous (code fences, trailing commas, "
    "a truncated end), and report each repair. Default: they count as no answer.",
)


def read_settings(config: str | None, environment: str | None, **overrides: Any) -> Settings:
    """The settings of this process; an override of None was not given."""
    return Settings.load(Path.cwd(), os.environ, overrides, config=config, environment=environment)


def read_thresholds(given: tuple[str, ...]) -> dict[str, float] | None:
    """Thresholds by metric id from texts such as `text.safety=0.9`; None where none is given."""
    result: dict[str, float] = {}
    for text in given:
        id, _, number = text.partition("=")
        try:
            result[id.strip()] = float(number)
        except ValueError:
            raise UsageError(
                f"--threshold {text!r}; expected a metric's id and a number: text.safety=0.9"
            ) from None
    return result or None


def read_bands(given: tuple[str, ...]) -> dict[str, str] | None:
    """Unsure zones by metric id from texts such as `rag.faithfulness=0.3:0.7`; None without any."""
    bands: dict[str, str] = {}
    for text in given:
        id, _, ends = text.partition("=")
        bands[id.strip()] = ends.strip()
    return bands or None


def open_chosen_store(store: str | None) -> Store:
    """The store that was named, or the one of the settings."""
    return open_store(chosen_store_url(store))


def chosen_store_url(store: str | None) -> str:
    """The URL of that store."""
    url = read_settings(None, None, store=store).store
    if url == "none":
        raise UsageError("no store is set; name one with --store")
    return url


def change_now() -> AuditStamp:
    """Who changes the store, for its audit trail: the user of this machine."""
    from assay.store.audit import AuditStamp

    return AuditStamp("command line", time.time())


def age_seconds(age: str) -> float:
    """A stretch of time as people write it: 12h, 30d, 8w."""
    match = re.fullmatch(r"([0-9]{1,6})\s*([hdw])", age.strip())
    if not match:
        raise UsageError(f"the age is {age!r}; expected a number of hours, days or weeks: 30d")
    return int(match[1]) * {"h": 3600.0, "d": 86400.0, "w": 604800.0}[match[2]]
