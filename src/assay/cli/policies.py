"""`assay policies`: the laws that governance metrics go by, as packs."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import json_option
from assay.core.jsontext import dumps
from assay.data import Policy, policy, policy_names
from assay.data import policy as read_policy


@click.group("policies", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List the policy packs, show one, or validate your own.

    A pack says what a law requires of an answer: which queries may be refused, how a refusal, an
    appeal and a citation are worded, which identifiers are personal. A run uses the one that
    --policy, the profile or the settings name.
    """
    if context.invoked_subcommand is None:
        context.invoke(listing)


@command.command("list")
@json_option
def listing(as_json: bool = False) -> None:
    """List the bundled packs."""
    packs = [policy(name) for name in policy_names()]
    if as_json:
        _echo_json([_header(pack) for pack in packs])
        return
    for pack in packs:
        click.echo(f"{pack.name:<12} {pack.jurisdiction:<4} {pack.date}  {pack.title}")


@command.command()
@click.argument("policy", metavar="NAME|FILE")
@json_option
def show(policy: str, as_json: bool) -> None:
    """Show the contents of a pack: clauses, patterns and weights."""
    from assay.report.safe_text import visible

    pack = read_policy(policy)
    if as_json:
        _echo_json(_contents(pack))
        return
    for name, value in _header(pack).items():
        click.echo(visible(f"{name}: {value or '–'}"))
    for section, entries in _sections(pack).items():
        click.echo(f"\n{section}")
        for entry in entries:
            click.echo(visible(f"  {_entry_line(entry)}"))


@command.command()
@click.argument("file")
@click.pass_context
def check(context: click.Context, file: str) -> None:
    """Validate the pack in FILE: its format, its patterns, and every example.

    One line per example that does not hold; exit code 1 if there is any, 2 if the pack cannot be
    used at all.
    """
    from assay.features.policy_hits import check_policy
    from assay.report.safe_text import visible

    pack = read_policy(file)
    wrong = check_policy(pack)
    for line in wrong:
        click.echo(visible(line))
    held = len(pack.examples) - len(wrong)
    click.echo(f"{pack.name}: {held} examples hold, {len(wrong)} do not")
    if wrong:
        context.exit(1)


def _echo_json(value: Any) -> None:

    click.echo(dumps(value, indent=2))


def _header(pack: Policy) -> dict[str, Any]:
    keys = ("name", "title", "jurisdiction", "date", "language", "source", "licence")
    return {**{key: getattr(pack, key) for key in keys}, "force_to_zero": pack.force_to_zero}


def _contents(pack: Policy) -> dict[str, Any]:
    return {**_header(pack), "identity": pack.identity, "sections": _sections(pack)}


def _sections(pack: Policy) -> dict[str, list[dict[str, Any]]]:
    """What each section holds; patterns only with what they have."""
    sections: dict[str, list[dict[str, Any]]] = {}
    for section, lexicon in pack.lexicons.items():
        if section in pack.clauses:
            sections[section] = [clause._asdict() for clause in pack.clauses[section]]
        else:
            sections[section] = [
                {
                    "name": p.name,
                    "weight": p.weight,
                    "check": p.check,
                    "text": p.phrase or p.regex,
                }
                for p in lexicon.patterns
            ]
    return sections


def _entry_line(entry: dict[str, Any]) -> str:
    if "keywords" in entry:
        return f"{entry['id']}  {entry['title']}: {', '.join(entry['keywords'])}"
    checked = f", check {entry['check']}" if entry["check"] else ""
    return f"{entry['name']} ({entry['weight']:g}{checked}): {entry['text']}"
