"""The log stays small, however often the same thing goes wrong."""

import logging

from assay.core.secrets import Redactor
from assay.server import log_limit, redact
from assay.server.log_limit import ALIKE, ALL, MAX_KINDS, WINDOW, LogLimit

log = logging.getLogger("test.log_limit")


class Sink(logging.Handler):
    def __init__(self, clock):
        super().__init__()
        self.lines = []
        self.addFilter(LogLimit(clock))

    def emit(self, record):
        self.lines.append(record.getMessage())


def sink(monkeypatch):
    now = [0.0]
    made = Sink(lambda: now[0])
    monkeypatch.setattr(log, "handlers", [made])
    monkeypatch.setattr(log, "propagate", False)
    return made, now


def test_repeated_lines_are_counted(monkeypatch):
    made, now = sink(monkeypatch)
    for moment in (0, WINDOW):
        now[0] = moment
        for number in range(100):
            log.warning("client %s is slow", number)
    left = 100 - ALIKE
    again = [f"client 0 is slow ({left} more like this were left out)"]
    plain = [f"client {number} is slow" for number in range(ALIKE)]
    assert made.lines == [*plain, *again, *plain[1:]]


def test_other_lines_still_pass(monkeypatch):
    made, _ = sink(monkeypatch)
    for _ in range(100):
        log.warning("the same")
    log.warning("another")
    assert made.lines[-1] == "another"


def test_the_same_statement_for_errors_from_other_places_is_another_kind(monkeypatch):
    made, _ = sink(monkeypatch)
    for error in [ValueError, KeyError] * 50:
        try:
            raise error("x")
        except error:
            log.exception("request failed")
    assert len(made.lines) == 2 * ALIKE


def test_many_kinds_together_are_bounded_too(monkeypatch):
    made, now = sink(monkeypatch)
    statements = "".join(f"log.warning('{n}')\n" for n in range(2 * ALL))
    exec(compile(statements, "many.py", "exec"), {"log": log})  # noqa: S102 -- many statements
    assert len(made.lines) == ALL
    now[0] = WINDOW
    log.warning("later")
    assert made.lines[-1] == "later"


def test_kinds_are_not_remembered_for_ever(monkeypatch):
    made, _ = sink(monkeypatch)
    monkeypatch.setattr(log_limit, "ALL", 10 * MAX_KINDS)
    statements = "".join(f"log.warning('{n}')\n" for n in range(2 * MAX_KINDS))
    exec(compile(statements, "many.py", "exec"), {"log": log})  # noqa: S102 -- many statements
    (limit,) = made.filters
    assert len(limit._kinds) == MAX_KINDS


def test_the_log_of_the_server_is_limited(monkeypatch):
    given = {}
    monkeypatch.setattr(logging, "basicConfig", lambda **options: given.update(options))
    redact.set_up_logging(Redactor([]))
    (handler,) = given["handlers"]
    assert [type(entry) for entry in handler.filters] == [LogLimit]


def test_a_line_has_a_longest_length():
    record = logging.LogRecord("n", logging.INFO, "p", 1, "x" * 1_000_000, None, None)
    assert len(redact.RedactingFormatter(Redactor([])).format(record)) <= redact.MAX_LINE + 3
