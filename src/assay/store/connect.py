"""Opens a store, and runs work on it in transactions.

Whatever journal SQLite keeps (`assay.core.sqlite_journal`), a write starts with `BEGIN IMMEDIATE`
behind a lock file: writers queue up instead of failing. A file that cannot be written to is opened
for reading alone.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from assay.core import DataError, UsageError
from assay.core.errors import StoreBusyError, StoreReadOnlyError, TimeLimitError
from assay.core.extras import require
from assay.core.sqlite_journal import journal_mode
from assay.store.migrate import migrate, refuse_foreign
from assay.store.write_lock import store_busy, write_lock

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

DEFAULT_URL = "sqlite:///.assay/assay.db"
"""Where runs are kept by default: one file below the working folder."""
WAIT = 30.0
"""Seconds that a transaction waits for others, and half as long as it waits for a database server
that was lost: it may be started again."""

MAX_JOURNAL = 4 * 2**20
"""Bytes to which SQLite cuts a journal that has been worked off."""

Answer = TypeVar("Answer")


class Store:
    """Runs and all that belongs to them; made by `open_store`."""

    def __init__(
        self,
        engine: Engine,
        lock: Path | None,
        url: str,
        wait: float,
        *,
        is_read_only: bool = False,
        reading: float | None = None,
    ) -> None:
        self.engine = engine
        self.url = url
        """Where it is, without a password."""
        self.is_read_only = is_read_only
        """Whether the system lets us read it and no more."""
        self._lock = lock
        self._wait = wait
        self._reading = reading

    def waiting(self, seconds: float, reading: float | None = None) -> Store:
        """The same store for somebody with so much patience, and so much for each reading."""
        return Store(
            self.engine,
            self._lock,
            self.url,
            seconds,
            is_read_only=self.is_read_only,
            reading=reading,
        )

    @property
    def reading_limit(self) -> float | None:
        """Seconds that one reading may take; None: no limit."""
        return self._reading

    @property
    def is_postgres(self) -> bool:
        """Whether the rows lie in PostgreSQL."""
        return self.engine.dialect.name == "postgresql"

    def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """Do some reading in one transaction: what it sees belongs together."""
        return self._patiently(lambda wait: self._run(work, wait, is_write=False))

    def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """Do some writing in one transaction: all of it, or nothing.

        When the connection is lost the whole work is done again, so it must not count twice what it
        finds to be there already.
        """
        return self._write(lambda left: self._run(work, left, is_write=True))

    def alter(self, work: Callable[[Connection], Answer]) -> Answer:
        """Do some changing of tables in one transaction.

        SQLite changes a table by making a new one and dropping the old, at which all rows that
        refer to it would go as well; so references are checked when all is done, and not before.
        """
        return self._write(lambda left: self._run(work, left, is_write=True, is_alteration=True))

    def _write(self, run: Callable[[float], Answer]) -> Answer:
        self.check_writable()

        def locked(wait: float) -> Answer:
            began = time.monotonic()
            with write_lock(self._lock, wait, self.url):
                return run(wait - (time.monotonic() - began))

        return self._patiently(locked)

    def check_writable(self) -> None:
        """Refuse to go on where the store can only be read."""
        if self.is_read_only:
            raise StoreReadOnlyError(
                f"the store {self.url!r} cannot be written to, only read; copy it to a folder that "
                "can be written to, or name another with --store"
            )

    def vacuum(self) -> None:
        """Give the space of removed rows back, so that nothing of them stays in the files.

        PostgreSQL writes each table anew, for which nobody else may use that table meanwhile, and
        the statistics of its planner, which hold values of rows; those of a table that has no row
        left stay until it has one again. Raises `StoreBusyError` where others use the store.
        """
        try:
            self._write(self._vacuum)
        except StoreBusyError as error:
            raise StoreBusyError(
                f"the store {self.url!r} is in use by another program, so the space of deleted "
                "rows was not given back; run `assay runs compact` when it is free"
            ) from error

    def _vacuum(self, wait: float) -> None:
        milliseconds = max(1, ceil(wait * 1000))
        with self.engine.connect() as connection:
            if not self.is_postgres:
                _vacuum_sqlite(connection, milliseconds)
                return
            from assay.store.schema import metadata

            run = connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql
            try:
                run(f"SET lock_timeout = {milliseconds}")
                for table in metadata.sorted_tables:
                    run(f'VACUUM (FULL, ANALYZE) "{table.name}"')
                run("VACUUM (FULL) pg_catalog.pg_statistic")
            finally:
                run("RESET lock_timeout")

    def empty_journal(self) -> None:
        """Empty the write-ahead log of SQLite, in which removed rows may stand for a while."""
        if not self.is_postgres:
            with self.engine.connect() as connection:
                driver: Any = connection.connection.driver_connection
                driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    def _run(
        self,
        work: Callable[[Connection], Answer],
        wait: float,
        *,
        is_write: bool,
        is_alteration: bool = False,
    ) -> Answer:
        milliseconds = max(1, ceil(wait * 1000))
        with self.engine.connect() as connection:
            connection = connection.execution_options(is_write=is_write, wait=milliseconds)
            with _without_references(connection, is_alteration), connection.begin():
                if self.is_postgres:
                    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
                with _limited(connection, None if is_write else self._reading):
                    answer = work(connection)
                if is_alteration:
                    _check_references(connection)
                return answer

    def _patiently(self, work: Callable[[float], Answer]) -> Answer:
        """Do the work with what is left of the time, again and again while that may help."""
        from sqlalchemy.exc import DBAPIError
        from sqlalchemy.exc import TimeoutError as NoConnectionError

        began = time.monotonic()
        for attempt in count(1):
            left = began + self._wait - time.monotonic()
            try:
                return work(left)
            except DBAPIError as error:
                if _is_too_long(error):
                    raise TimeLimitError(
                        f"a query took longer than {self._reading} seconds"
                    ) from error
                left = began + self._wait - time.monotonic()
                if _is_busy(error):
                    if left <= 0:
                        raise store_busy(self.url) from error
                elif not _is_passing(error) or left + self._wait <= 0:
                    raise _explained(error, self.url) from error
                time.sleep(min(0.05 * 2**attempt, 2.0, self._wait / 4))
            except NoConnectionError as error:
                raise store_busy(self.url) from error
            except UnicodeEncodeError as error:  # an argument of the command line may be any bytes
                raise UsageError(f"{error.object!r} is not Unicode text; expected UTF-8") from None
        raise AssertionError("the last attempt returns or raises")


def open_store(url: str = "") -> Store:
    """Open the store, creating or updating its tables.

    `url` is a path, `sqlite:///PATH` or `postgresql://…`.
    """
    require("sqlalchemy", "store")
    url = url or DEFAULT_URL
    if "://" not in url:
        url = f"sqlite:///{url}"
    store = _open_sqlite(url) if url.startswith("sqlite:") else _open_postgres(url)
    try:
        migrate(store)
    except BaseException:
        store.close()
        raise
    return store


def _open_sqlite(url: str) -> Store:
    from sqlalchemy import create_engine, event, make_url

    path = Path(make_url(url).database or "")
    if path == Path():
        raise UsageError(f"{url!r} names no file; expected sqlite:///PATH")
    is_read_only = not _can_write(path)
    database = _readable(path) if is_read_only else str(path)
    check_owner(path)
    engine = create_engine(
        f"sqlite:///{database}", connect_args={"timeout": WAIT}, hide_parameters=True
    )
    event.listen(engine, "connect", _set_up_reading if is_read_only else _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    lock = path.with_name(path.name + ".lock")
    return Store(engine, lock, f"sqlite:///{path}", WAIT, is_read_only=is_read_only)


def _can_write(path: Path) -> bool:
    """Create the file, readable for its owner alone, where there is none; whether we may write."""
    try:
        if not path.parent.exists():
            path.parent.mkdir(parents=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        if error.errno in _READ_ONLY and path.is_file():
            return False
        if isinstance(error, PermissionError):
            raise DataError(f"the store {str(path)!r} cannot be created: no permission") from None
        raise DataError(f"the store {str(path)!r} cannot be opened: {error.strerror}") from None
    return True


def _readable(path: Path) -> str:
    """The address of a file that cannot be written to.

    Where a journal lies beside it, SQLite reads that too. Without one the file is all there is,
    and no lock has to be taken, for which SQLite would want to write.
    """
    journals = (path.with_name(path.name + ending) for ending in ("-wal", "-journal"))
    is_whole = not any(journal.exists() and journal.stat().st_size for journal in journals)
    return f"file:{quote(str(path))}?mode=ro{'&immutable=1' if is_whole else ''}&uri=true"


def check_owner(path: Path) -> None:
    """Refuse a database that is not ours, before anything of it is changed."""
    if not path.stat().st_size:
        return
    try:
        with closing(sqlite3.connect(_uri(path), uri=True)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = {name for (name,) in rows if not name.startswith("sqlite_")}
    except sqlite3.Error:  # opening it as a store says what is wrong
        return
    refuse_foreign(tables, f"sqlite:///{path}")


def _uri(path: Path) -> str:
    return f"file:{quote(str(path))}?mode=ro"


_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def _set_up_reading(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA trusted_schema = OFF")


def _set_up_sqlite(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    file = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    for pragma in (
        f"journal_mode = {journal_mode(sqlite3.sqlite_version_info, file)}",
        f"busy_timeout = {int(WAIT * 1000)}",
        "synchronous = FULL",
        f"journal_size_limit = {MAX_JOURNAL}",
        "foreign_keys = ON",
        "secure_delete = ON",  # what is removed is overwritten; not every SQLite does so by itself
        "trusted_schema = OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    is_write = options.get("is_write", False)
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {options.get('wait', int(WAIT * 1000))}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write else "BEGIN")


def _vacuum_sqlite(connection: Connection, milliseconds: int) -> None:
    """Write the file anew, outside of the transaction that SQLAlchemy would begin."""
    from sqlalchemy.exc import OperationalError

    driver: Any = connection.connection.driver_connection
    driver.execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        driver.execute("VACUUM")
    except sqlite3.OperationalError as error:  # as SQLAlchemy raises it, which is handled above
        raise OperationalError("VACUUM", None, error) from error


@contextmanager
def _without_references(connection: Connection, is_alteration: bool) -> Iterator[None]:
    """Keep SQLite from removing rows whose table is made anew; it ignores this in a transaction."""
    if not is_alteration or connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys = ON")


@contextmanager
def _limited(connection: Connection, seconds: float | None) -> Iterator[None]:
    """Have the database end a query that takes longer than that."""
    if seconds is None:
        yield
        return
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {max(1, ceil(seconds * 1000))}")
        yield
        return
    driver: Any = connection.connection.driver_connection
    end = time.monotonic() + seconds
    driver.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)


_STEPS = 10_000
"""Steps of SQLite between two looks at the clock; a fraction of a millisecond."""


def _check_references(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise DataError(f"a migration would leave rows of {broken[0]!r} without what they refer to")


def _open_postgres(url: str) -> Store:
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.exc import ArgumentError

    require("psycopg", "postgres")
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise UsageError(
            f"{url!r} is no URL of a store; expected sqlite:///PATH or postgresql://USER@HOST/NAME"
        ) from None
    if parsed.get_backend_name() != "postgresql":
        raise UsageError(
            f"the store {parsed.render_as_string()!r} is of an unknown kind; "
            "expected sqlite:///PATH or postgresql://USER@HOST/NAME"
        )
    options = "-c timezone=UTC"
    if isinstance(named := parsed.query.get("schema"), str):
        parsed = parsed.difference_update_query(["schema"])
        _make_schema(parsed, named)
        options += f" -c search_path={named}"
    engine = create_engine(
        parsed.set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,
        hide_parameters=True,  # they are people's texts, and errors go to logs
        pool_timeout=WAIT,
        connect_args={"connect_timeout": max(2, int(WAIT)), "options": options},
    )
    return Store(engine, None, parsed.render_as_string(hide_password=True), WAIT)


def _make_schema(url: URL, name: str) -> None:
    """Make the schema that holds the store, where there is none; `?schema=NAME` asks for one."""
    from sqlalchemy import create_engine, text

    if not _SCHEMA.fullmatch(name):
        raise UsageError(f"the schema is {name!r}; expected up to 60 of a-z, 0-9 and _")
    engine = create_engine(url.set(drivername="postgresql+psycopg"), hide_parameters=True)
    try:
        with engine.begin() as connection:
            query = text("SELECT 1 FROM pg_namespace WHERE nspname = :name")
            if connection.execute(query, {"name": name}).first() is None:
                connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {name}"))
    finally:
        engine.dispose()


_SCHEMA = re.compile(r"[a-z][a-z0-9_]{0,59}")


def _is_passing(error: Any) -> bool:
    """Whether trying again may help: the server went away, or others were quicker."""
    message = str(error.orig).lower()
    return bool(
        error.connection_invalidated
        or getattr(error.orig, "sqlstate", None) in _PASSING
        or any(
            words in message
            for words in (
                *("connection refused", "is starting up", "shutting down", "closed the connection"),
                *("not yet accepting connections", "connection reset", "connection is lost"),
                *("server closed", "is the server running"),
            )
        )
    )


def _is_busy(error: Any) -> bool:
    """Whether another program holds what the work needs."""
    is_locked = "database is locked" in str(error.orig).lower()
    return is_locked or getattr(error.orig, "sqlstate", None) == _LOCKED


def _is_too_long(error: Any) -> bool:
    """Whether the database ended a query because of its time limit."""
    is_ended = str(error.orig).lower() == "interrupted"
    return is_ended or getattr(error.orig, "sqlstate", None) == "57014"


_LOCKED = "55P03"
"""PostgreSQL's code for a lock that was not had in time."""


_PASSING = {"40001", "40P01", "57P01", "57P02", "57P03", "08000", "08003", "08006"}
"""PostgreSQL's codes for conflicts between transactions and for lost connections."""


def _explained(error: Any, url: str) -> Exception:
    """The error in words for people; a mistake of ours stays as it is."""
    from sqlalchemy.exc import DatabaseError, OperationalError

    if type(error) not in (DatabaseError, OperationalError):
        return error  # type: ignore[no-any-return] # an exception of SQLAlchemy
    return DataError(f"the store {url!r} failed: {' '.join(str(error.orig).split())}")
