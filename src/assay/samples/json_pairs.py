"""JSON documents to be compared, from where they lie: files, folders, or a file of many pairs.

Documents stay text: the comparison reads them, and says what is wrong with one.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from assay.core import DataError, SampleError
from assay.samples.reader import read_samples

LINES = (".jsonl", ".ndjson")
"""Endings of files with one output a line."""


class JsonPair(NamedTuple):
    """A ground truth and an output, each as JSON text or as an object."""

    name: str
    ground_truth: Any
    output: Any


class JsonOutput(NamedTuple):
    """One output of several, as JSON text."""

    name: str
    text: str


class Folders(NamedTuple):
    """Two folders whose `.json` files belong together where their names are equal."""

    ground_truths: Path
    outputs: Path
    both: tuple[str, ...]
    only_ground_truths: tuple[str, ...]
    only_outputs: tuple[str, ...]


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`.

    Raises `DataError` for a file that is not there, and `SampleError` for one that is not UTF-8.
    """
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        raise DataError(f"no such file: {path!r}") from None
    except IsADirectoryError:
        raise DataError(f"{path!r} is a folder; expected a file") from None
    except OSError as error:
        raise DataError(f"cannot read {path!r}: {error.strerror}") from None
    try:
        return raw.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise SampleError(f"{path!r} is not UTF-8 at byte {error.start + 1}") from None


def read_outputs(paths: Sequence[str]) -> list[JsonOutput]:
    """The outputs of several files: one a file, or one a line in `.jsonl`."""
    return [output for path in paths for output in _outputs(path)]


def _outputs(path: str) -> Iterator[JsonOutput]:
    text = read_text(path)
    if not path.lower().endswith(LINES):
        yield JsonOutput(path, text)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield JsonOutput(f"{path}, line {number}", line)


def match_folders(ground_truths: str, outputs: str) -> Folders:
    """The `.json` files of two folders, those of inner folders too, by their names."""
    roots = Path(ground_truths), Path(outputs)
    first, second = ({str(p.relative_to(r)) for p in r.rglob("*.json")} for r in roots)
    if not first and not second:
        raise DataError(f"neither {ground_truths!r} nor {outputs!r} holds a .json file")
    both, *only = (
        tuple(sorted(names)) for names in (first & second, first - second, second - first)
    )
    return Folders(*roots, both, *only)


def folder_pairs(folders: Folders) -> Iterator[JsonPair | SampleError]:
    """The pairs of two folders, one by one."""
    for name in folders.both:
        try:
            texts = [read_text(str(root / name)) for root in folders[:2]]
        except DataError as error:
            yield SampleError(str(error))
        else:
            yield JsonPair(name, *texts)


def record_pairs(path: str) -> Iterator[JsonPair | SampleError]:
    """The pairs of a sample file: `expected_json` with `response_json` or the response's text."""
    for sample in read_samples(path):
        if isinstance(sample, SampleError):
            yield sample
            continue
        output = sample.response if sample.response_json is None else sample.response_json
        absent = [
            name for name, value in (("gt", sample.expected_json), ("aio", output)) if value is None
        ]
        if absent:
            yield SampleError(f"{path}, {sample.id}: no {' and no '.join(map(repr, absent))}")
        else:
            yield JsonPair(sample.id, sample.expected_json, output)
