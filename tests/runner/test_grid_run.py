"""The cells of a grid go on side by side under one set of limits, and are kept as runs."""

import asyncio

import pytest
from tests.runner.grid_systems import CELLS, System, grid, request

from assay.core import UsageError
from assay.runner.grid_figures import grid_matrix
from assay.runner.grid_run import CellCallers, run_grid, run_name
from assay.store import open_store
from assay.store.matrix import read_matrix
from assay.store.run_list import find_run, list_runs
from assay.wire.call_errors import CallError, Fault

AT_A_TIME = 3
HANGING = 120
"""Seconds after which a test that hangs ends."""


@pytest.fixture
def trial(tmp_path):
    """Runs all cells of the trial; gives the results, what was asked, and the store's URL."""
    url, ledger = f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "ledger"

    def run(questions=12, kind=System, callers=None, **options):
        ledger.write_text("", encoding="utf-8")
        asked = request(url, questions, lambda cell: kind(cell, ledger), **options)
        results = run_grid(asked, asked.grid.cells, callers or CellCallers())
        return results, ledger.read_text(encoding="utf-8").splitlines(), url

    return run


class Busy(System):
    """Counts the calls that go on at a time, over all cells; the first ones wait for each other."""

    now = most = calls = 0
    is_full = asyncio.Event()

    async def ask(self, turns):
        Busy.calls += 1
        Busy.now += 1
        Busy.most = max(Busy.most, Busy.now)
        if Busy.most == AT_A_TIME:
            Busy.is_full.set()
        await asyncio.wait_for(Busy.is_full.wait(), HANGING)
        await asyncio.sleep(0)
        Busy.now -= 1
        return await super().ask(turns)


def test_calls_at_a_time_are_counted_over_all_cells(trial):
    Busy.now = Busy.most = Busy.calls = 0
    Busy.is_full = asyncio.Event()
    results, asked, _ = trial(40, Busy, concurrency=AT_A_TIME)
    assert (Busy.most, Busy.calls) == (AT_A_TIME, 120)
    assert sorted(asked) == sorted(
        f"{c} {c.upper()}: question {n}" for c in CELLS for n in range(40)
    )
    assert [result.summary.samples for result in results.values()] == [40] * 3


def test_the_cap_on_calls_is_one_for_all_cells(trial):
    results, asked, _ = trial(40, max_calls=50)
    assert len(asked) == 50
    assert not all(result.is_whole for result in results.values())
    assert {result.ended_early for result in results.values()} <= {
        "",
        "the cap of 50 calls is reached",
    }


class Together(System):
    """Its first call waits until every cell has made one."""

    begun = frozenset()
    have_all_begun = asyncio.Event()

    async def ask(self, turns):
        is_first = self.title not in Together.begun
        Together.begun |= {self.title}
        if len(Together.begun) == len(CELLS):
            Together.have_all_begun.set()
        if is_first:
            await asyncio.wait_for(Together.have_all_begun.wait(), HANGING)
        return await super().ask(turns)


def test_cells_are_asked_side_by_side(trial):
    """No cell can end before the others have begun."""
    Together.begun, Together.have_all_begun = frozenset(), asyncio.Event()
    results, asked, _ = trial(12, Together, concurrency=len(CELLS))
    assert Together.begun == set(CELLS)
    assert len(asked) == 36
    assert all(result.is_whole for result in results.values())


def test_the_same_grid_again_is_an_error_and_resuming_asks_nothing(trial):
    trial()
    with pytest.raises(UsageError, match="the experiment 'trial' exists already; add --resume"):
        trial()
    results, asked, _ = trial(resume=True)
    assert asked == []
    assert [result.summary.samples for result in results.values()] == [12] * 3


def test_a_changed_prompt_is_a_run_of_its_own_and_going_back_asks_nothing(trial):
    trial()
    changed = {"b": "New: {query}"}
    results, asked, url = trial(resume=True, texts=changed)
    assert sorted(asked) == sorted(f"b New: question {n}" for n in range(12))
    cell = grid(changed).cells[1]
    assert results["b"].run == f"trial:b@{cell.fingerprint}"
    assert [results[name].run for name in ("a", "c")] == ["trial:a", "trial:c"]
    assert trial(resume=True, texts=changed)[1] == []
    back, asked, _ = trial(resume=True)
    assert (back["b"].run, asked) == ("trial:b", [])
    store = open_store(url)
    assert run_name(store, "trial", cell) == f"trial:b@{cell.fingerprint}"
    assert {run.tags for run in list_runs(store)} == {("experiment:trial",)}
    store.close()


class Locked(System):
    """Cell B has a wrong key."""

    def __init__(self, cell, ledger):
        super().__init__(cell, ledger)
        self.name += cell.name

    async def ask(self, turns):
        if self.title == "b":
            raise CallError("the key is wrong", Fault.ACCESS, status=401)
        return await super().ask(turns)


def test_a_system_that_refuses_ends_its_own_cell_alone(trial):
    results, asked, _ = trial(20, Locked)
    assert len(asked) == 40
    assert [result.is_whole for result in results.values()] == [True, False, True]
    assert results["b"].ended_early == "the key is wrong"


class Stopping(System):
    """Has all calls stopped by the fifth question of cell A."""

    callers = None

    async def ask(self, turns):
        answer = await super().ask(turns)
        if turns[-1].content == "A: question 5":
            Stopping.callers.stop("it was interrupted")
        return answer


def test_stopped_cells_keep_their_answers_and_go_on(trial):
    Stopping.callers = CellCallers()
    results, first, _ = trial(30, Stopping, Stopping.callers, concurrency=2)
    assert all(result.was_stopped for result in results.values())
    assert 0 < len(first) < 90
    results, second, _ = trial(30, resume=True)
    assert len(set(first) | set(second)) == len(first) + len(second) == 90
    assert all(result.is_whole for result in results.values())


def test_other_metrics_or_data_are_not_mixed_into_an_experiment(trial):
    trial(12)
    with pytest.raises(UsageError, match="cannot be resumed: 'repeat' was 1 and is now 2"):
        trial(12, resume=True, repeat=2)


def test_the_matrix_compares_question_by_question_and_corrects_over_all_cells(trial):
    results, _, url = trial(60)
    store = open_store(url)
    matrix = grid_matrix(store, grid(), results)
    a, b, c = matrix.cells
    assert (a.summary.pass_rate, b.summary.pass_rate, c.summary.pass_rate) == (1.0, 1.0, 0.5)
    assert a.changes == ()
    assert b.change("pass_rate").verdict != "worse"
    change = c.change("pass_rate")
    assert (change.verdict, change.pairs, change.lost, change.gained) == ("worse", 60, 30, 0)
    assert change.difference == -0.5
    tested = [one for cell in (b, c) for one in cell.changes if one.changed]
    assert len(tested) > 1
    assert change.adjusted_p == pytest.approx(min(1.0, change.p * len(tested)))
    assert c.usage.to_json() == {
        "answers": 60,
        "prompt_tokens": 600,
        "completion_tokens": 120,
        "uncounted": 0,
        "seconds": None,
        "usd": None,
    }
    rows = read_matrix(store, [find_run(store, cell.run) for cell in matrix.cells])
    store.close()
    assert (rows.by, rows.counts) == ("id", {"all": 60, "changed": 30, "lost": 30, "gained": 0})
    plain = matrix.to_json()
    assert [cell["cell"] for cell in plain["cells"]] == ["a", "b", "c"]
    assert plain["cells"][2]["prompt"] == {"system": "", "user": "C: {query}"}


def test_a_cell_without_answers_is_not_compared(trial):
    results, _, url = trial(8, Locked)
    store = open_store(url)
    matrix = grid_matrix(store, grid(), results)
    assert find_run(store, "trial:b").status == "running"
    store.close()
    assert matrix.cells[1].changes == ()
    assert "Not compared with a" in matrix.cells[1].notes[0]


def test_with_repeats_a_question_is_one_pair_however_often_it_is_asked(trial):
    results, asked, url = trial(20, repeat=5, score_repeats=True)
    assert len(asked) == 300
    store = open_store(url)
    matrix = grid_matrix(store, grid(), results)
    store.close()
    change = matrix.cells[2].change("pass_rate")
    assert (change.pairs, change.difference) == (20, -0.5)
    assert change.p == pytest.approx(2 * 0.5**10, rel=0.2)  # ten questions, not fifty answers
