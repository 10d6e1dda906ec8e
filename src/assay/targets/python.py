"""A Python function as the system under test."""

from __future__ import annotations

import asyncio
import inspect
import sys
import time
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Thread
from traceback import extract_tb
from types import ModuleType
from typing import Any

from assay.core.errors import UsageError
from assay.core.leaving import may_not_leave
from assay.targets.protocol import RETURNED, Answer, Turn
from assay.targets.replies import read_reply
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits
from assay.wire.safe_messages import safe_message

CONVERSATION = ("conversation", "messages", "turns")
"""A parameter of one of these names gets the whole conversation."""
MAX_LOST = 100
"""Calls that never return; after so many no further one is made."""
_FAULTS = {
    Fault.TIMEOUT: frozenset({"TimeoutError", "Timeout", "TimeoutException", "APITimeoutError"}),
    Fault.CONNECTION: frozenset({"ConnectionError", "ConnectError", "APIConnectionError"}),
    Fault.RATE: frozenset({"RateLimitError"}),
}
"""What exceptions of these names stand for, Python's own and those of well-known clients; all
others would come again."""


class PythonTarget:
    """A function that takes the question and gives the answer.

    `parameters` go into every call as further arguments. Asynchronous functions are awaited. Others
    run in a thread each; one that does not return in time is left behind and cannot keep the
    program from ending.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        name: str = "",
        *,
        limits: CallLimits | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = f"python:{name or _name(function)}"
        self._function = function
        self._seconds = (limits or CallLimits()).total
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 -- an object's own method may be async
        )
        self._takes = _parameters(function)
        self._given = dict(parameters or {})
        _check_given(function, self.name, self._given)
        is_text = getattr(function, "__annotations__", {}).get("return") in (str, "str")
        self.returns = frozenset() if is_text else RETURNED
        self._lost = 0

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        """What the function gives for the conversation."""
        if self._lost >= MAX_LOST:
            raise CallError(f"{self._lost} calls of {self.name} never returned", Fault.ACCESS)
        args, kwargs = self._arguments(turns)
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds) as deadline:
                given = await self._call(args, kwargs)
        except TimeoutError as error:
            if not deadline.expired():  # the function's own
                raise _failed(self.name, error) from None
            message = f"{self.name} gave no answer within {self._seconds:g} s"
            raise CallError(message, Fault.TIMEOUT) from None
        except CallError:
            raise
        except Exception as error:
            raise _failed(self.name, error) from None
        except SystemExit as error:  # of an asynchronous function: it would end the event loop
            raise _failed(self.name, RuntimeError(repr(error))) from None
        return read_reply(given, time.monotonic() - began)

    async def close(self) -> None:
        """Nothing is held."""

    async def _call(self, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if self._is_async:
            with may_not_leave():
                return await self._function(*args, **kwargs)
        loop = asyncio.get_running_loop()
        result: Future[Any] = loop.create_future()
        work = (self._function, args, kwargs, loop, result)
        Thread(target=_work, args=work, name=self.name, daemon=True).start()
        try:
            given = await result
        except asyncio.CancelledError:
            self._lost += 1
            raise
        return await given if inspect.isawaitable(given) else given

    def _arguments(self, turns: Sequence[Turn]) -> tuple[list[Any], dict[str, Any]]:
        listed = [{"role": turn.role, "content": turn.content} for turn in turns]
        named = {name: listed for name in CONVERSATION if name in self._takes}
        if not named:
            return [turns[-1].content], self._given
        query = {"query": turns[-1].content} if "query" in self._takes else {}
        return [], {**named, **query, **self._given}


def load_function(place: str) -> Callable[..., Any]:
    """The function of a place such as `chatbot:answer`, `my.module:Bot.reply` or `bot.py:answer`.

    Modules are also looked for in the working folder.
    """
    where, colon, name = place.rpartition(":")
    if not colon or not where or not name:
        raise UsageError(f"{place!r} names no function; expected MODULE:FUNCTION or FILE.py:NAME")
    is_file = where.endswith(".py")
    try:
        loaded: Any = _load_file(Path(where)) if is_file else _load_module(where)
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        raise UsageError(f"{where!r} cannot be loaded: {_complaint(error)}") from error
    for part in name.split("."):
        if not hasattr(loaded, part):
            raise UsageError(f"{where!r} has no {name!r}; expected the name of a function in it")
        loaded = getattr(loaded, part)
    if not callable(loaded):
        raise UsageError(f"{place!r} is {type(loaded).__name__}; expected a function")
    return loaded  # type: ignore[no-any-return] # callable, as was just seen


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"no such file: {str(path)!r}")
    name = f"assay_target_{path.stem}"
    spec = spec_from_file_location(name, path.resolve())
    assert spec and spec.loader, path
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):  # one that it imports
            raise
        raise UsageError(f"no such module: {name!r} ({error})") from None


def _complaint(error: BaseException) -> str:
    """What went wrong in somebody's module, and in which line."""
    last = extract_tb(error.__traceback__)[-1]
    words = f"{type(error).__name__}: {safe_message(str(error), ())}"
    if isinstance(error, SyntaxError):  # its words have the place
        return words
    return f"{words} ({Path(last.filename).name}, line {last.lineno})"


def _work(
    function: Callable[..., Any],
    args: list[Any],
    kwargs: dict[str, Any],
    loop: AbstractEventLoop,
    result: Future[Any],
) -> None:
    """Call the function and tell the loop, if it still waits."""
    given: Any = None
    error: Exception | None = None
    try:
        with may_not_leave():
            given = function(*args, **kwargs)
    except StopIteration as stopped:  # a future cannot carry it
        error = RuntimeError(f"StopIteration: {stopped}")
    except BaseException as raised:
        error = raised if isinstance(raised, Exception) else RuntimeError(repr(raised))
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(_tell, result, given, error)


def _tell(result: Future[Any], given: Any, error: Exception | None) -> None:
    if result.done():
        return
    if error is None:
        result.set_result(given)
    else:
        result.set_exception(error)


def _failed(name: str, error: Exception) -> CallError:
    kinds = {kind.__name__ for kind in type(error).__mro__}
    fault = next((fault for fault, names in _FAULTS.items() if kinds & names), Fault.UNUSABLE)
    first = next(iter(str(error).splitlines()), "")
    return CallError(f"{name} raised {type(error).__name__}: {safe_message(first, ())}", fault)


def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some functions written in C do not tell
        return frozenset()


def _check_given(function: Callable[..., Any], name: str, given: Mapping[str, Any]) -> None:
    """Refuse parameters that the function does not take, before anything is asked."""
    if not given:
        return
    try:
        own = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some functions written in C do not tell
        return
    takes_all = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in own.values())
    first = next(iter(own), "")  # the question's
    for wrong in given:
        if wrong in (first, "query", *CONVERSATION) or (wrong not in own and not takes_all):
            raise UsageError(
                f"{name} takes no parameter {wrong!r}; expected one of "
                f"{', '.join(list(own)[1:]) or 'none'}"
            )


def _name(function: Callable[..., Any]) -> str:
    own = function if hasattr(function, "__qualname__") else type(function)
    return f"{getattr(own, '__module__', 'builtins')}:{own.__qualname__}"
