"""People who logged in through an identity provider, as its claims describe them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core import NotFoundError
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.connect import Store
from assay.store.row_codec import safe

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Claims:
    """Who somebody is, as the identity provider says."""

    issuer: str
    subject: str
    name: str
    email: str
    """Empty unless the provider says that it is verified."""
    groups: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who has logged in before."""

    id: int
    name: str
    email: str
    groups: tuple[str, ...]
    seen: float
    blocked: float | None

    @property
    def member_names(self) -> list[str]:
        """The names under which they can be a member of a project."""
        mails = [self.email.lower()] if self.email else []
        return [*mails, *(f"group:{group}" for group in self.groups)]


def save_login(store: Store, claims: Claims, now: float) -> User:
    """Keep what the provider says of somebody who logs in, and that they did."""
    users = schema.users
    same = (users.c.issuer == safe(claims.issuer), users.c.subject == safe(claims.subject))
    claimed = {
        "name": safe(claims.name),
        "email": safe(claims.email),
        "groups": dumps(list(claims.groups)),
        "seen": now,
    }

    def work(connection: Connection) -> User:
        if connection.execute(users.select().where(*same)).first() is None:
            own = {"issuer": safe(claims.issuer), "subject": safe(claims.subject), "created": now}
            connection.execute(users.insert().values(claimed | own))
        else:
            connection.execute(users.update().where(*same).values(claimed))
        row = connection.execute(users.select().where(*same)).one()
        actor = AuditStamp(_actor(row), now)
        add_entry(connection, actor, "user.logged_in", str(row.id))
        return _user(row)

    return store.write(work)


def find_user(store: Store, id: int) -> User | None:
    """The user of that number; None when there is none."""
    query = schema.users.select().where(schema.users.c.id == id)
    row = store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else _user(row)


def block_user(store: Store, email: str, change: AuditStamp, *, blocked: bool = True) -> None:
    """Keep somebody out, whatever the provider says; or let them in again."""

    def work(connection: Connection) -> None:
        users = schema.users
        given = users.c.email == safe(email)
        values = {"blocked": change.now if blocked else None}
        if connection.execute(users.update().where(given).values(values)).rowcount == 0:
            raise NotFoundError(f"nobody with the address {email!r} has logged in")
        add_entry(connection, change, "user.blocked" if blocked else "user.unblocked", email)

    store.write(work)


def _actor(row: Any) -> str:
    return str(row.email or row.name)


def _user(row: Any) -> User:
    groups = tuple(str(group) for group in loads(row.groups))
    return User(row.id, row.name, row.email, groups, row.seen, row.blocked)
