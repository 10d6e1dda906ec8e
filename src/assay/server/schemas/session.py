"""Who asks: logging in, and applications with keys of their own."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from assay.server.schemas.base import Body, ResponseModel


class Login(Body):
    """What a browser logs in with."""

    key: Annotated[str, Field(max_length=200)]


class Me(ResponseModel):
    """Who asks."""

    name: str
    role: Literal["read", "write", "admin"]
    is_local: bool
    """Whether it is the user of the server's own machine, who needs no key."""
    project: str
    """The project that their requests are about."""
    projects: list[str]
    """The projects that they can choose from."""
    is_server_admin: bool
    """Whether they may manage projects, members and keys."""
    judge: str
    """The judge that jobs may put unsure samples to, and where it is; empty where there is none."""


class LoginWays(ResponseModel):
    """How people can log in."""

    key: bool
    oidc: str | None
    """What the button of the identity provider says; None where there is none."""


class AppBody(Body):
    """A program that is to get a key of its own."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.@-]{0,99}$")]
    role: Literal["read", "write", "admin"] = "write"


class AppAnswer(ResponseModel):
    """A program's key; shown once."""

    name: str
    role: Literal["read", "write", "admin"]
    key: str
