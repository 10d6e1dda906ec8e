"""A power cut at any moment leaves a store that opens, with all that was acknowledged."""

from dataclasses import replace
from random import Random

import pytest
from tests.store.power_cut import CUTS, problem_after, watched

CUTS_EACH = 25


@pytest.mark.parametrize("kind", CUTS)
def test_a_store_opens_with_all_that_was_acknowledged(kind, tmp_path):
    mode, cached_pages, cut = CUTS[kind]
    history = watched(tmp_path / "written", mode, cached_pages)
    rng = Random(6)  # noqa: S311 -- the same cuts every time
    for number in range(CUTS_EACH):
        copy = cut(rng, history)
        assert not problem_after(tmp_path / str(number), mode, copy), f"{kind}, cut {number}"


@pytest.mark.parametrize("kind", ["log", "pages"])
def test_a_journal_that_was_never_synced_would_be_noticed(kind, tmp_path):
    mode, cached_pages, cut = CUTS[kind]
    history = watched(tmp_path / "written", mode, cached_pages)
    rng = Random(6)  # noqa: S311 -- the same cuts every time
    lost = [replace(cut(rng, history), journal=b"") for _ in range(CUTS_EACH)]
    problems = [_problem(tmp_path / str(place), mode, copy) for place, copy in enumerate(lost)]
    assert any(problems)


def _problem(folder, mode, copy):
    try:
        return problem_after(folder, mode, copy)
    except Exception as error:  # a damaged file fails anywhere
        return str(error)
