"""What a server is started with."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from assay.core import ProfileError, UsageError
from assay.settings import Settings

DEFAULT_PORT = 8040
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names under which a machine reaches itself."""


@dataclass(frozen=True)
class RequestLimits:
    """How much one request may bring."""

    body: int = 10 * 1024 * 1024
    """Bytes of a request's body."""
    upload: int = 200 * 1024 * 1024
    """Bytes of an uploaded file, its wrapping included."""
    rows: int = 1_000_000
    """Records of an uploaded file."""
    characters: int = 2_000_000
    """Characters of a sample that is scored while its sender waits."""
    seconds: float = 10.0
    """For scoring such a sample, for comparing two runs, and for one query of the store."""


@dataclass(frozen=True)
class ConnectionLimits:
    """How many connections there may be, and how long one may wait for its client."""

    total: int = 1000
    per_address: int = 250
    """Connections from one address, unless it is a trusted proxy's."""
    head_seconds: float = 10.0
    """For the head of a request, from the connection or the last answer on."""
    body_seconds: float = 20.0
    """For the body of a request, and more for what came: see `bytes_per_second`."""
    bytes_per_second: int = 1000
    """The rate below which a body is too slow."""
    answer_seconds: float = 30.0
    """For a client that reads nothing of its answer."""


@dataclass(frozen=True)
class OidcConfig:
    """An identity provider through which people log in."""

    issuer: str
    """Its name, an address; what it can do is at `/.well-known/openid-configuration` below it."""
    client_id: str
    public_url: str
    """Where browsers reach this server, without a slash at the end."""
    client_secret: str = field(default="", repr=False)
    groups_claim: str = "groups"
    """The claim that lists the groups of a user."""
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    label: str = "Single sign-on"
    """What the button says."""


@dataclass(frozen=True)
class ServerConfig:
    """One frozen object for the whole life of a server."""

    settings: Settings
    """Profile, policy, models and thresholds of evaluations, and where runs are kept."""
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    allowed_hosts: tuple[str, ...] = ()
    """Further names, with or without a port, under which people reach the server."""
    require_key: bool = True
    """Whether every request needs a key; only on loopback may it be otherwise."""
    trusted_proxies: frozenset[str] = frozenset()
    """Addresses of proxies whose `X-Forwarded-For` tells where a request comes from."""
    uploads: Path = Path(".assay/uploads")
    """The folder for uploaded files."""
    limits: RequestLimits = RequestLimits()
    connections: ConnectionLimits = ConnectionLimits()
    workers: int = 1
    """Processes of one evaluation job."""
    oidc: OidcConfig | None = None
    """Through whom people log in, besides keys."""

    @property
    def store(self) -> str:
        """The URL of the store."""
        return self.settings.store

    @property
    def url(self) -> str:
        """Where the server is reached from its own machine."""
        return f"http://{_bracketed(self.host)}:{self.port}/"

    @cached_property
    def judge(self) -> str:
        """The judge and where it is; empty where there is none, or its key must not go there."""
        try:
            backends = self.settings.backends()
        except ProfileError:
            return ""
        return backends.identity("judge").partition("+")[0] if backends.judge else ""

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Every value of the Host header that is answered, in lower case."""
        own = {_bracketed(self.host).lower()} - {"0.0.0.0", "[::]"}  # noqa: S104 -- no bind
        names = own | set(LOOPBACK)
        allowed = {f"{name}:{self.port}" for name in names}
        if self.port == 80:
            allowed |= names
        for name in self.allowed_hosts:
            plain = name.strip().lower()
            allowed |= {plain} if _has_port(plain) else {plain, f"{plain}:{self.port}"}
        return frozenset(allowed)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address; a name other than localhost is not trusted."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_address(text: str) -> str:
    """An address in numbers, as a connection shows it."""
    try:
        return str(ipaddress.ip_address(text.strip("[]")))
    except ValueError:
        raise UsageError(f"{text!r} is no address; expected one such as 10.0.0.2") from None


def check_host(name: str) -> str:
    """The name of a host with an optional port, as a Host header has it; refuses anything else."""
    plain = name.strip().lower()
    if not plain or any(char in plain for char in "/@\\ \t,*#?"):
        raise UsageError(f"{name!r} is no name of a host; expected assay.example.org or NAME:PORT")
    return plain


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _has_port(name: str) -> bool:
    return name.rpartition("]")[2].count(":") == 1
