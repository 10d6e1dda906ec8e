"""`assay mcp`: the measures as tools for other AI systems."""

from __future__ import annotations

import click

from assay.cli.options import config_option, embedder_option, environment_option, read_settings


@click.command("mcp")
@embedder_option
@config_option
@environment_option
def command(embedder: str | None, config: str | None, environment: str | None) -> None:
    """Serve "score", "compare_json" and "metrics" over the Model Context Protocol.

    Uses standard input and output, as MCP clients expect; nothing listens on a port. Needs
    the extra "mcp".
    """
    from assay.mcp_server import make_server

    settings = read_settings(config, environment, embedder=embedder)
    make_server(settings).run()
