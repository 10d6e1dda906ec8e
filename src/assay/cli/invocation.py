"""The command line as it was typed."""

from __future__ import annotations

import shlex
from pathlib import PurePath

import click

from assay.core.secrets import redactor

KEY = "assay.cli.arguments"
"""Where the context of a command has the words after `assay`."""


def command_line() -> str:
    """The whole command, without secrets and without the folders of this machine."""
    context = click.get_current_context(silent=True)
    words = context.meta.get(KEY) if context else None
    if not words:
        return ""
    shown = redactor()
    named = [PurePath(word).name if PurePath(word).is_absolute() else word for word in words]
    return shlex.join(["assay", *map(shown, named)])
