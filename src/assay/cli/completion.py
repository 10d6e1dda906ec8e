"""`assay completion`: shell completion."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from assay.cli import app

SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command("completion")
@click.argument("shell", type=click.Choice(list(SHELLS)))
def command(shell: str) -> None:
    """Print the completion script of SHELL.

    \b
    bash:  assay completion bash > ~/.local/share/bash-completion/completions/assay
    zsh:   assay completion zsh > "${fpath[1]}/_assay"
    fish:  assay completion fish > ~/.config/fish/completions/assay.fish
    """
    click.echo(SHELLS[shell](app, {}, "assay", "_ASSAY_COMPLETE").source())
