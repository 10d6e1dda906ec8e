"""Texts of some tests as one row of `test_blocks`, and back.

Texts of neighbouring tests resemble each other: packed together they take a quarter of what they
take apart. A column is its entries, one for each test, compressed as a whole; in front of them
stand their lengths, so that one test can be read without parsing the others.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, chain, count, pairwise
from operator import sub
from typing import Any

from assay.core import Result, Span
from assay.store.packed_scores import encode

BLOCK = 16
"""Most tests of a block: more of them hardly take less, and all are unpacked to read one."""
LEVEL = 2
"""Of compression: level 6 takes three times as long and saves another fifth."""


def pack(entries: Sequence[bytes]) -> bytes:
    """Entries as one column."""
    lengths = ",".join([str(len(entry)) for entry in entries])
    return zlib.compress(b"\n".join([lengths.encode(), b"".join(entries)]), LEVEL)


def unpack(column: bytes) -> list[bytes]:
    """The entries of a column."""
    lengths, _, joined = zlib.decompress(column).partition(b"\n")
    entries, start = [], 0
    for length in map(int, lengths.split(b",")):
        entries.append(joined[start : start + length])
        start += length
    return entries


def pack_texts(texts: Sequence[str]) -> bytes:
    """Texts as one column; any text can be kept, half a surrogate pair too."""
    return pack([text.encode("utf-8", "surrogatepass") for text in texts])


def unpack_texts(column: bytes) -> list[str]:
    """The texts of a column."""
    return [entry.decode("utf-8", "surrogatepass") for entry in unpack(column)]


def pack_block(
    samples: Sequence[str], results: Sequence[Sequence[Result]]
) -> tuple[bytes, bytes, bytes, bytes]:
    """The columns of a row: the samples' other fields as JSON, and the results of each."""
    explanations = [encode([result.explanation for result in own]) for own in results]
    details = [encode([result.details for result in own]) for own in results]
    return (
        pack_texts(samples),
        pack_texts(explanations),
        pack_texts(details),
        pack_evidence([[result.evidence for result in own] for own in results]),
    )


def pack_evidence(marked: Sequence[Sequence[Sequence[Span]]]) -> bytes:
    """The spans of each result of each test as numbers; fields with their labels are numbered."""
    kinds: defaultdict[tuple[str, str], int] = defaultdict(count().__next__)
    entries = [_numbers(own, kinds) for own in marked]
    code = "i"
    try:
        packed = [array(code, numbers) for numbers in entries]
    except OverflowError:
        code = "q"
        packed = [array(code, numbers) for numbers in entries]
    head = encode({"code": code, "kinds": list(kinds)})
    return pack([head.encode("utf-8", "surrogatepass"), *map(_little_endian, packed)])


def _numbers(
    marked: Sequence[Sequence[Span]], kinds: defaultdict[tuple[str, str], int]
) -> list[int]:
    """How many results have spans, their positions, how many each has; then all spans by column."""
    places = [place for place, spans in enumerate(marked) if spans]
    if not places:
        return [0]
    sizes = [len(marked[place]) for place in places]
    every = chain.from_iterable([marked[place] for place in places])
    fields, starts, ends, labels = zip(*every, strict=True)
    of_kind = map(kinds.__getitem__, zip(fields, labels, strict=True))
    return [len(places), *places, *sizes, *of_kind, *starts, *map(sub, ends, starts)]


def _little_endian(numbers: array[int]) -> bytes:
    return (numbers if _IS_LITTLE else _swapped(numbers)).tobytes()


def _swapped(numbers: array[int]) -> array[int]:
    copy = numbers[:]
    copy.byteswap()
    return copy


_IS_LITTLE = array("H", [1]).tobytes() == b"\1\0"


class Evidence:
    """The spans of a block."""

    def __init__(self, column: bytes) -> None:
        head, *self._entries = unpack(column)
        about = json.loads(head.decode("utf-8", "surrogatepass"))
        self._code, self._kinds = about["code"], about["kinds"]

    def of(self, entry: int) -> dict[int, tuple[Span, ...]]:
        """The spans of a test: position of the metric → spans."""
        numbers = array(self._code, self._entries[entry])
        if not _IS_LITTLE:
            numbers.byteswap()
        count = numbers[0]
        places, sizes = numbers[1 : 1 + count], numbers[1 + count : 1 + 2 * count]
        first, total = 1 + 2 * count, sum(sizes)
        kinds, starts, lengths = (
            numbers[first + column * total : first + (column + 1) * total] for column in range(3)
        )
        spans = [
            Span(*self._fields(kind, start, length))
            for kind, start, length in zip(kinds, starts, lengths, strict=True)
        ]
        ends = list(accumulate(sizes, initial=0))
        return {
            place: tuple(spans[start:end])
            for place, (start, end) in zip(places, pairwise(ends), strict=True)
        }

    def _fields(self, kind: int, start: int, length: int) -> tuple[str, int, int, str]:
        field, label = self._kinds[kind]
        return field, start, start + length, label


class PackedBlock:
    """A row of `test_blocks`; a column is unpacked when it is first asked for."""

    def __init__(self, row: Any) -> None:
        self._row = row
        self._columns: dict[str, Any] = {}

    def sample(self, entry: int) -> str:
        """The other fields of a test's sample, as JSON."""
        return self._texts("samples")[entry]

    def explanations(self, entry: int) -> list[str]:
        """The explanations of a test's results, by position of the metric."""
        explanations: list[str] = json.loads(self._texts("explanations")[entry])
        return explanations

    def details(self, entry: int) -> list[dict[str, Any]]:
        """The details of a test's results, by position of the metric."""
        details: list[dict[str, Any]] = json.loads(self._texts("details")[entry])
        return details

    def evidence(self, entry: int) -> dict[int, tuple[Span, ...]]:
        """The spans of a test's results that have any, by position of the metric."""
        if "evidence" not in self._columns:
            self._columns["evidence"] = Evidence(self._row.evidence)
        spans: dict[int, tuple[Span, ...]] = self._columns["evidence"].of(entry)
        return spans

    def _texts(self, name: str) -> list[str]:
        if name not in self._columns:
            self._columns[name] = unpack_texts(getattr(self._row, name))
        texts: list[str] = self._columns[name]
        return texts
