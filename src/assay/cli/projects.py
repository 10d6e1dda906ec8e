"""`assay projects`: projects of a server, and who may do what in them."""

from __future__ import annotations

import click

from assay.cli.options import (
    change_now,
    chosen_store_url,
    json_option,
    open_chosen_store,
    store_option,
)
from assay.core.jsontext import dumps


@click.group("projects")
def command() -> None:
    """Create projects and manage their members.

    Each project has a store of its own beside the server's. MEMBER is an e-mail address that the
    identity provider has verified, or group:NAME. Admins of the project "default" administer the
    server.
    """


@command.command("create")
@click.argument("name")
@store_option
def create(name: str, store: str | None) -> None:
    """Create a project called NAME."""
    from assay.store.projects import create_project

    create_project(open_chosen_store(store), name, change_now())
    click.echo(f"Created: {name}", err=True)


@command.command("list")
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List all projects with their members."""
    from assay.report.safe_text import visible
    from assay.store.projects import list_members, list_projects

    opened = open_chosen_store(store)
    members_of = {
        project.name: {one.member: one.role for one in list_members(opened, project.name)}
        for project in list_projects(opened)
    }
    if as_json:
        click.echo(dumps(members_of, indent=2))
        return
    for name, members in members_of.items():
        click.echo(name)
        for member, role in members.items():
            click.echo(f"  {visible(member)}  {role}")


@command.command("add-member")
@click.argument("project")
@click.argument("member")
@click.option(
    "--role",
    default="read",
    show_default=True,
    type=click.Choice(["read", "write", "admin"]),
    help="What the member may do: read, also score and store, or everything.",
)
@store_option
def add_member(project: str, member: str, role: str, store: str | None) -> None:
    """Give MEMBER a role in PROJECT."""
    from assay.store.projects import set_member

    set_member(open_chosen_store(store), project, member, role, change_now())
    click.echo(f"{member}: {role} in {project}", err=True)


@command.command("remove-member")
@click.argument("project")
@click.argument("member")
@store_option
def remove(project: str, member: str, store: str | None) -> None:
    """Remove MEMBER from PROJECT."""
    from assay.store.projects import remove_member

    remove_member(open_chosen_store(store), project, member, change_now())
    click.echo(f"Removed: {member} from {project}", err=True)


@command.command("block")
@click.argument("email")
@click.option("--undo", is_flag=True, help="Let them in again.")
@store_option
def block(email: str, undo: bool, store: str | None) -> None:
    """Keep a user out of all projects, whatever the identity provider says."""
    from assay.store.users import block_user

    block_user(open_chosen_store(store), email, change_now(), blocked=not undo)
    click.echo(f"{'Let in again' if undo else 'Blocked'}: {email}", err=True)


@command.command("url")
@click.argument("name")
@store_option
def url(name: str, store: str | None) -> None:
    """Print the store of the project NAME, for --store of other commands."""
    from assay.store.projects import find_project, project_url

    find_project(open_chosen_store(store), name)
    click.echo(project_url(chosen_store_url(store), name))
