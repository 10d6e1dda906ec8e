"""Options that several commands share, handed over as one argument."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

Command = Callable[..., int]
_BUNDLES = "assay_bundles"
"""Where a command keeps its bundles: argument → dataclass."""


def bundle(
    name: str, arguments: type[Any], options: Sequence[Callable[[Command], Command]]
) -> Callable[[Command], Command]:
    """Gives a command the options; it gets them as one argument of that name.

    `arguments` is a dataclass whose fields are called as the options are.
    """

    def decorate(command: Command) -> Command:
        bundled = command if hasattr(command, _BUNDLES) else _wrapped(command)
        getattr(bundled, _BUNDLES)[name] = arguments
        for option in reversed(options):
            bundled = option(bundled)
        return bundled

    return decorate


def _wrapped(command: Command) -> Command:
    """The command, called with the values of its options put together by bundle."""
    bundles: dict[str, type[Any]] = {}

    @functools.wraps(command)
    def wrapped(*args: Any, **given: Any) -> int:
        for name, arguments in bundles.items():
            own = {field.name: given.pop(field.name) for field in fields(arguments)}
            given[name] = arguments(**own)
        return command(*args, **given)

    setattr(wrapped, _BUNDLES, bundles)
    return wrapped
