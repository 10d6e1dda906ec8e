"""Logged-in browsers, kept for all processes of a server and over its restarts.

What the cookie holds is not stored: a digest of it is, as of keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assay.store import schema
from assay.store.connect import Store

if TYPE_CHECKING:
    from sqlalchemy import Connection


class StoredSession(NamedTuple):
    """Who logged in, and until when that counts."""

    digest: str
    holder_kind: str
    """key or user"""
    holder_id: int
    ends: float


def add_session(store: Store, session: StoredSession, now: float, most: int) -> None:
    """Keep a session; those that ended go, and the oldest where there are more than `most`."""
    from sqlalchemy import delete, func, select

    sessions = schema.login_sessions

    def work(connection: Connection) -> None:
        own = sessions.c.digest == session.digest
        if connection.execute(select(sessions.c.digest).where(own)).first() is None:
            connection.execute(sessions.insert().values(session._asdict()))
        connection.execute(delete(sessions).where(sessions.c.ends <= now))
        count = connection.execute(select(func.count()).select_from(sessions)).scalar_one()
        if count > most:
            oldest = select(sessions.c.digest).where(sessions.c.digest != session.digest)
            oldest = oldest.order_by(sessions.c.ends, sessions.c.digest).limit(count - most)
            connection.execute(delete(sessions).where(sessions.c.digest.in_(oldest)))

    store.write(work)


def find_session(store: Store, digest: str, now: float) -> StoredSession | None:
    """The session with that digest; None when there is none, or it ended."""
    sessions = schema.login_sessions
    query = sessions.select().where(sessions.c.digest == digest, sessions.c.ends > now)
    row = store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else StoredSession(*row)


def remove_session(store: Store, digest: str) -> None:
    """Forget a session."""
    from sqlalchemy import delete

    sessions = schema.login_sessions
    query = delete(sessions).where(sessions.c.digest == digest)
    store.write(lambda connection: connection.execute(query))
