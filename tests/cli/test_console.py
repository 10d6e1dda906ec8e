"""Colours: on a terminal, and nowhere else."""

import io
import sys

import pytest

from assay.cli.console import console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "variables", "is_plain"),
    [
        (Terminal, {}, False),
        (Terminal, {"NO_COLOR": "1"}, True),
        (io.StringIO, {}, True),
    ],
)
def test_output_is_plain_in_pipes_and_without_colour(
    stream: type[io.StringIO],
    variables: dict[str, str],
    is_plain: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", stream())
    console().print("[bold red]bad[/]")
    assert ("\x1b" not in sys.stdout.getvalue()) is is_plain
