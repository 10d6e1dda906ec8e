"""A command line as the system under test."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
import time
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, Self

from assay.core.errors import ProfileError, UsageError
from assay.core.jsontext import dumps, loads
from assay.targets.protocol import Answer, Turn
from assay.targets.replies import read_reply
from assay.targets.tables import read_table
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits
from assay.wire.safe_messages import safe_message

QUERY = "{query}"
"""Where this stands in an argument, the question goes there and not to standard input."""
TEMPORARY = 75
"""The exit code of a failure that may pass (EX_TEMPFAIL of sysexits.h)."""
CHUNK = 65_536
LAST_WORDS = 5.0
"""Seconds in which the pipes of a program that was ended are emptied."""
MAX_STDERR = 4_000
"""Bytes of standard error that are kept for the message."""


@dataclass(frozen=True)
class CommandSpec:
    """A program with its arguments; no shell ever sees them."""

    argv: tuple[str, ...]
    input: Literal["query", "turns"] = "query"
    """What goes to standard input: the question, or the conversation as JSON."""
    output: Literal["text", "json"] = "text"
    """What comes from standard output: the answer, or an object with the fields of a sample."""

    def __post_init__(self) -> None:
        if not self.argv:
            raise ProfileError("'argv' of the command target is empty; expected a program")
        for name, words in (("input", ("query", "turns")), ("output", ("text", "json"))):
            if getattr(self, name) not in words:
                value = getattr(self, name)
                raise ProfileError(f"{name!r} is {value!r}; expected {' or '.join(words)}")

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Self:
        """The description in a table, such as a TOML file gives."""
        return read_table("command", cls, given)

    @classmethod
    def from_line(cls, line: str) -> Self:
        """The command as one would type it; quotes keep words together, and nothing else counts."""
        try:
            argv = shlex.split(line)
        except ValueError as error:
            raise UsageError(f"the command {line!r} cannot be read: {error}") from None
        if not argv:
            raise UsageError("the command is empty; expected command:PROGRAM ARGUMENTS")
        return cls(tuple(argv))


class CommandTarget:
    """A program that is started for every question, in a process group of its own."""

    def __init__(self, spec: CommandSpec, *, limits: CallLimits | None = None) -> None:
        digest = blake2b(dumps([*spec.argv, spec.input, spec.output]).encode(), digest_size=4)
        self.name = f"command:{Path(spec.argv[0]).name}@{digest.hexdigest()}"
        self._spec = spec
        self._limits = limits or CallLimits()

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        """What the program writes."""
        began = time.monotonic()
        process = await self._start(turns[-1].content)
        try:
            async with asyncio.timeout(self._limits.total):
                output = await self._exchange(process, self._input_bytes(turns))
        except TimeoutError:
            message = f"{self.name} gave no answer within {self._limits.total:g} s"
            raise CallError(message, Fault.TIMEOUT) from None
        finally:
            await _end(process)
        return self._read(output, time.monotonic() - began)

    async def close(self) -> None:
        """Every process ended with its question."""

    async def _start(self, query: str) -> Process:
        argv = [part.replace(QUERY, query) for part in self._spec.argv[1:]]
        try:
            return await asyncio.create_subprocess_exec(
                self._spec.argv[0], *argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, **_OWN_GROUP
            )
        except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
            program = self._spec.argv[0]
            message = f"the program {program!r} cannot be started: {error.strerror}"
            raise CallError(message, Fault.ACCESS) from None
        except (OSError, ValueError) as error:  # too long, or with a character no argument can hold
            message = f"{self.name} cannot take this question: {safe_message(str(error), ())}"
            raise CallError(message, Fault.REFUSED) from None

    def _input_bytes(self, turns: Sequence[Turn]) -> bytes:
        if self._spec.input == "turns":
            listed = [{"role": turn.role, "content": turn.content} for turn in turns]
            return dumps(listed).encode("utf-8", "replace")
        if any(QUERY in part for part in self._spec.argv):
            return b""
        return turns[-1].content.encode("utf-8", "replace")

    async def _exchange(self, process: Process, said_to: bytes) -> bytes:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        output, errors, _ = await asyncio.gather(
            self._limited(process), _head(process.stderr), _feed(process.stdin, said_to)
        )
        if output is None:
            told_of = f"{self.name} wrote more than {self._limits.max_bytes} bytes"
            raise CallError(told_of, Fault.TOO_LARGE)
        if code := await process.wait():
            fault = Fault.SERVER if code == TEMPORARY else Fault.UNUSABLE
            words = safe_message(errors.decode("utf-8", "replace"), ()) or "it says nothing"
            raise CallError(f"{self.name} ended with {code}: {words}", fault)
        return output

    async def _limited(self, process: Process) -> bytes | None:
        """What is written; a program that writes too much is ended, and None is given."""
        assert process.stdout
        pieces, size, most = [], 0, self._limits.max_bytes
        while piece := await process.stdout.read(CHUNK):
            size += len(piece)
            if size <= most:
                pieces.append(piece)
            else:
                _kill(process)
        return b"".join(pieces) if size <= most else None

    def _read(self, output: bytes, seconds: float) -> Answer:
        try:
            text = output.decode("utf-8")
            given = loads(text) if self._spec.output == "json" else text.rstrip("\r\n")
        except ValueError as error:
            message = f"the answer of {self.name} cannot be read: {safe_message(str(error), ())}"
            raise CallError(message, Fault.UNUSABLE) from None
        return read_reply(given, seconds)


_OWN_GROUP: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}


async def _head(stream: StreamReader) -> bytes:
    """The beginning of what is written; the rest is let go."""
    kept = b""
    while piece := await stream.read(CHUNK):
        kept += piece[: max(0, MAX_STDERR - len(kept))]
    return kept


async def _feed(stream: StreamWriter, content: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # it need not read to the end
        stream.write(content)
        await stream.drain()
    stream.close()


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


async def _end(process: Process) -> None:
    """End the program with all that it started.

    A process counts as ended only when its pipes are read to the end; who left its group may hold
    them open, and is not waited for.
    """
    _kill(process)
    with suppress(TimeoutError):
        async with asyncio.timeout(LAST_WORDS):
            for stream in filter(None, (process.stdout, process.stderr)):
                while await stream.read(CHUNK):
                    pass
            await process.wait()
