"""Commands with many options: `--help` shows those that people need, `--help-all` all of them."""

from __future__ import annotations

from typing import Any

import click


class ShortHelpCommand(click.Command):
    """A command whose help shows the options that are named in `essential`."""

    def __init__(self, *args: Any, essential: tuple[str, ...] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.essential = essential
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                help="Show all options and exit.",
                callback=_show_all,
            )
        )

    def full_help(self, ctx: click.Context) -> str:
        """The help with all options."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        super().format_options(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that people need, in the order in which they are named."""
        params = {param.name: param for param in self.params}
        help_option = self.get_help_option(ctx)
        named = [*(params[name] for name in (*self.essential, "help_all")), help_option]
        shown = [record for param in named if param and (record := param.get_help_record(ctx))]
        with formatter.section("Options"):
            formatter.write_dl(shown)
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        rest = sum(not option.hidden for option in options) - len(shown)
        formatter.write_paragraph()
        formatter.write_text(f"{rest} more options: see --help-all.")


def _show_all(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        assert isinstance(ctx.command, ShortHelpCommand)
        click.echo(ctx.command.full_help(ctx))
        ctx.exit()
