"""A property that is computed when it is first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 -- it is used as a decorator, like `property`
    """`functools.cached_property` without its lock.

    In Python 3.11 that lock takes longer than most of what is computed once for every text. Two
    threads may both compute a value; each computes the same.
    """

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Value | lazy[Value]:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._function(instance)
        return value
