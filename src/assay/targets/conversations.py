"""Which session a conversation goes on in.

A target is asked turn by turn and told what was said before, so a conversation is known by what was
said in it. Where several were alike so far, each of their sessions is given once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Generic, TypeVar

from assay.core.jsontext import dumps
from assay.targets.protocol import Turn

Session = TypeVar("Session")


class ConversationSessions(Generic[Session]):
    """The sessions that may go on, at most `limit` of them; the oldest is given up first."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._count = 0
        self._open: OrderedDict[bytes, list[Session]] = OrderedDict()

    def take(self, turns: Sequence[Turn]) -> Session | None:
        """The session of the conversation whose next turn is the last one here, if it is open."""
        open_session = self._open.get(digest := _digest(turns[:-1]))
        if not open_session:
            return None
        self._count -= 1
        session = open_session.pop()
        if not open_session:
            del self._open[digest]
        return session

    def keep(self, turns: Sequence[Turn], session: Session) -> Session | None:
        """Remember where a conversation may go on; gives back what is given up for it."""
        self._open.setdefault(_digest(turns), []).append(session)
        self._count += 1
        if self._count <= self.limit:
            return None
        return self._oldest()

    def drain(self) -> Iterator[Session]:
        """Give up all of them, one by one."""
        while self._count:
            yield self._oldest()

    def _oldest(self) -> Session:
        digest, open_session = next(iter(self._open.items()))
        self._count -= 1
        session = open_session.pop(0)
        if not open_session:
            del self._open[digest]
        return session


def _digest(turns: Sequence[Turn]) -> bytes:
    text = dumps([[turn.role, turn.content] for turn in turns])
    return blake2b(text.encode(), digest_size=16).digest()
