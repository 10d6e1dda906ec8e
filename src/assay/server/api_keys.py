"""Keys of the API: `assay_<role>_<43 random characters>`, of which only a digest is stored."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Literal, get_args

from assay.core import UsageError
from assay.store import Store
from assay.store.audit import AuditStamp
from assay.store.projects import DEFAULT, find_project
from assay.store.stored_keys import StoredKey, add_key, find_key, replace_key

Role = Literal["read", "write", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""From little to much: each may do what those before it may."""
_KEY = re.compile(r"assay_(?:read|write|admin)_[A-Za-z0-9_-]{43}")
_NAME = re.compile(r"[\w .@-]{1,100}")


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a request."""

    name: str
    role: Role | None
    """None for a client without a key."""
    key: int | None = None
    """The number of the key; None for the user of this machine, and for people."""
    user: int | None = None
    """The number of a user who logged in through an identity provider."""
    project: str = DEFAULT
    """The project that the request is about."""
    home: str = DEFAULT
    """The project that gives the role; admins of the default one are admins of all."""

    def may(self, role: Role) -> bool:
        """Whether what needs this role is allowed."""
        return self.role is not None and ROLES.index(self.role) >= ROLES.index(role)

    @property
    def is_server_admin(self) -> bool:
        """Whether they administer the server: admins of the default project do."""
        return self.role == "admin" and self.home == DEFAULT


ANYBODY = Principal("anybody", None)
LOCAL = Principal("local", "admin")
"""The user of this machine, where the server asks for no key."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made; it is not shown again."""

    name: str
    role: Role
    key: str


def make_key(role: Role) -> str:
    """A new key: 256 random bits."""
    return f"assay_{role}_{secrets.token_urlsafe(32)}"


def digest(key: str) -> str:
    """What is stored of a key; enough, for it cannot be guessed."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def create_key(
    store: Store,
    name: str,
    role: Role,
    change: AuditStamp,
    expires: float | None = None,
    project: str | None = None,
) -> NewKey:
    """Make a key and store its digest; the key itself is given once, here.

    It opens one project, the default one where none is named.
    """
    if project is not None:
        find_project(store, project)
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"the key's name is {name!r}; expected 1 to 100 letters, digits, blanks or . _ @ -"
        )
    made = NewKey(name, role, make_key(role))
    bound = None if project == DEFAULT else project
    add_key(store, name, role, digest(made.key), change, expires, bound)
    return made


def rotate_key(store: Store, name: str, change: AuditStamp, expires: float | None = None) -> NewKey:
    """Make a new key of the same name and role; the old one ends at once."""
    made: list[NewKey] = []

    def renewed(key: StoredKey) -> str:
        assert key.role in ROLES
        made.append(NewKey(key.name, key.role, make_key(key.role)))
        return digest(made[-1].key)

    replace_key(store, name, renewed, change, expires)
    return made[-1]  # the work is done again when the connection is lost: the last one counts


def principal_of(store: Store, key: str, now: float) -> Principal | None:
    """Who holds a key; None when it is unknown, revoked or expired."""
    if not _KEY.fullmatch(key):
        return None
    wanted = digest(key)
    stored_key = find_key(store, digest=wanted)
    if stored_key is None or not hmac.compare_digest(stored_key.digest, wanted):
        return None
    return principal(stored_key, now)


def principal(key: StoredKey, now: float) -> Principal | None:
    """Who holds a stored key; None when it is revoked or expired."""
    if key.revoked is not None or (key.expires is not None and key.expires <= now):
        return None
    assert key.role in ROLES
    project = key.project or DEFAULT
    return Principal(key.name, key.role, key.id, project=project, home=project)
