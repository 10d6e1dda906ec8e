"""Options that several commands share, handed over as one argument."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

Command = Callable[..., int]


def bundle(
    name: str, arguments: type[Any], options: Sequence[Callable[[Command], Command]]
) -> Callable[[Command], Command]:
    """Gives a command the options; it gets them as one argument of that name.

    `arguments` is a dataclass whose fields are called as the options are.
    """
    own = [field.name for field in fields(arguments)]

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def wrapped(*args: Any, **given: Any) -> int:
            bundled = arguments(**{option: given.pop(option) for option in own})
            return command(*args, **given, **{name: bundled})

        found: Command = wrapped
        for option in reversed(options):
            found = option(found)
        return found

    return decorate
