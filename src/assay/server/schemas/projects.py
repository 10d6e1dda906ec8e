"""Projects and their members."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from assay.server.schemas.base import Body, ResponseModel

Role = Literal["read", "write", "admin"]


class ProjectBody(Body):
    """A project's name."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class ProjectEntry(ResponseModel):
    """A project of the caller."""

    name: str
    role: str
    is_current: bool
    """Whether this request was about it."""


class MemberBody(Body):
    """Somebody's role in a project."""

    member: Annotated[str, Field(min_length=3, max_length=300)]
    """An e-mail address, or `group:NAME`."""
    role: Role


class MemberEntry(ResponseModel):
    """A member of a project."""

    member: str
    role: str
    created: str
