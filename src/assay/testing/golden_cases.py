"""One test for every sample of a golden dataset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from inspect import signature
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assay.core import AssayError, Sample, SampleError, UsageError
from assay.report.safe_text import one_line
from assay.samples import read_samples
from assay.testing.outcomes import UnreadRecord

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

LONGEST_ID = 100
"""Characters of a sample's id that stand in the name of its test."""


def parametrize(metafunc: pytest.Metafunc, marker: pytest.Mark) -> None:
    """Run the test with each sample that the marker asks for, as its argument `sample`."""
    name = metafunc.function.__name__
    if "sample" not in metafunc.fixturenames:
        raise _refusal(name, "it has no argument 'sample' to give the samples to")
    folder = metafunc.definition.path.parent
    try:
        arguments = signature(_cases).bind(folder, *marker.args, **marker.kwargs)
        cases = _cases(*arguments.args, **arguments.kwargs)
    except (AssayError, TypeError) as error:
        raise _refusal(name, one_line(str(error), 500)) from None
    metafunc.parametrize("sample", cases)


def _refusal(test: str, reason: str) -> Exception:
    return pytest.Collector.CollectError(f"assay_dataset of {test!r}: {reason}")


def _cases(
    folder: Path, path: str, *, limit: int | None = None, tags: str | Iterable[str] = ()
) -> list[ParameterSet]:
    """The samples with one of the tags, up to the limit, and all records that are none."""
    if limit is not None and limit < 1:
        raise UsageError(f"the limit is {limit!r}; expected a number of 1 or more")
    wanted = {tags} if isinstance(tags, str) else set(tags)
    samples = list(islice(_chosen(folder / path, wanted), limit))
    if not samples:
        raise UsageError(f"no sample of {path!r} has one of the tags {sorted(wanted)!r}")
    ids: set[str] = set()
    return [pytest.param(value, id=_free(id, ids)) for id, value in samples]


def _chosen(path: Path, tags: set[str]) -> Iterator[tuple[str, Sample | UnreadRecord]]:
    for number, item in enumerate(read_samples(path), start=1):
        if isinstance(item, SampleError):
            yield f"unread-{number}", UnreadRecord(one_line(str(item), 500))
        elif not tags or tags & set(item.tags):
            yield one_line(item.id, LONGEST_ID), item


def _free(id: str, taken: set[str]) -> str:
    """The id, or one that is like it where it is taken."""
    free, turn = id, 2
    while free in taken:
        free, turn = f"{id}-{turn}", turn + 1
    taken.add(free)
    return free
