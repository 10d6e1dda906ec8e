"""Faults on purpose: `python -m tests.chaos [--short] [--seed N]`, which is `make chaos`.

Kills, full disks, steps of the clock, held locks, cut connections, two writers, restarts of
PostgreSQL. Prints the table of what was tried, and ends with 1 where anything was lost, counted
twice or mixed up.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from sqlalchemy import column, select, table, text
from tests.attempts import attempt
from tests.chaos_browser import hostile_pages
from tests.chaos_kills import killed_programs
from tests.chaos_processes import killed_asking, killed_tests, signalled_runs
from tests.chaos_scene import LostError, Scene, expect, expect_whole
from tests.postgres import Postgres
from tests.store import killed
from tests.store.power_cut import CUTS, problem_after, watched
from tests.store.scored import RUN_PLAN, make_samples, score, stored_run
from tests.trials import Trials, run_trials

from assay.core import AssayError
from assay.core.errors import RunBusyError
from assay.report.output_files import OutputFile
from assay.store import Store, open_store, run_writer
from assay.store.run_list import find_run, read_run
from assay.store.run_writer import start_run

RECORDS, BATCH = 2_000, 40


def together(works: list[Callable[[], int | None]]) -> list[int]:
    """Do some work in processes of their own at once; gives how they ended."""
    children = []
    for work in works:
        if (child := os.fork()) == 0:
            ended = 1
            try:
                ended = work() or 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(ended)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def killed_runs(scene: Scene, count: int) -> int:
    """A1, A2: kills inside of transactions, after commits and while resuming."""
    urls = scene.stores()
    for url in urls:
        whole, out = scene.path(".jsonl"), scene.path(".jsonl")
        places = 0
        for _ in range(count // len(urls)):
            moments = killed.MOMENTS if places else killed.MOMENTS[:3]
            words = (url, RECORDS, BATCH, str(out), scene.chance.choice(moments))
            ended = attempt(killed.main, (*words, scene.chance.randint(1, 3)))
            expect(ended in (0, -signal.SIGKILL), f"a run ended with {ended}")
            store = open_store(url)
            now = find_run(store, "run").places
            store.close()
            expect(now >= places, f"{places} records were safe, and now {now}")
            places = now
        for target, moment in ((out, "never"), (whole, "unstored")):
            ended = attempt(killed.main, (url, RECORDS, BATCH, str(target), moment, 1))
            expect(ended == 0, f"the last attempt ended with {ended}")
        expect(out.read_bytes() == whole.read_bytes(), "the files differ")
        expect_whole(url, RECORDS)
    return count // len(urls) * len(urls)


def killed_writers(scene: Scene, count: int) -> int:
    """A14: kills while a file is written."""
    path = scene.path(".json")
    old, new = "old\n" * 100, "new\n" * 5000
    total = _written(path, new, 0)
    seen = set()
    for _ in range(count):
        path.write_text(old)
        attempt(partial(_written, path, new), (scene.chance.randint(1, total),))
        seen.add(path.read_text())
        expect(seen <= {old, new}, "a file is neither old nor new")
    OutputFile(str(path)).discard()
    expect(not list(scene.folder.glob(".assay-*")), "part files are left")
    return count


def _written(path: Path, data: str, last: int) -> int:
    """Write a file, and die at the last call of a function; gives how many there were."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")
        if calls == last:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    output = OutputFile(str(path))
    for start in range(0, len(data), 1000):
        output.write(data[start : start + 1000])
    output.commit()
    sys.setprofile(None)
    return calls


def killed_workers(scene: Scene, count: int) -> int:
    """A18: workers that are killed while they score."""
    from tests.runner.test_killed_workers import PLUGIN

    from assay.runner import evaluate

    marks = scene.path()
    marks.mkdir()
    plugin = scene.path(".py")
    plugin.write_text(PLUGIN.format(folder=str(marks)))
    fatal = set(scene.chance.sample(range(20 * count), count))
    records = [
        {"id": str(n), "response": f"Answer {n}{' fatal' if n in fatal else ''}."}
        for n in range(20 * count)
    ]
    url = f"sqlite:///{scene.path('.db')}"
    given = {"metrics": ["custom.length"], "plugins": [str(plugin)], "settings": None}
    report = evaluate(records, **given, workers=2, batch_size=10, run="run", store=url)
    plain = evaluate(records, **given)
    expect(len(list(marks.iterdir())) == count, "not every worker was killed")
    expect(
        [s.to_json() for s in report.scores] == [s.to_json() for s in plain.scores],
        "scores differ from those without kills",
    )
    expect_whole(url, len(records))
    return count


def full_disks(scene: Scene, count: int) -> int:
    """A13: the store's disk fills up, and has room again later; 0 where none can be mounted."""
    script = Path(__file__).with_name("full_disk.sh")
    words = ["unshare", "-rm", "sh", str(script), sys.executable]
    for _ in range(count):
        place = scene.path()
        place.mkdir()
        size = scene.chance.randint(500, 900)
        ended = subprocess.run(
            [*words, str(place), str(size)], capture_output=True, text=True, check=False
        )
        if ended.returncode == 77:
            return 0
        expect(ended.returncode == 0, f"{ended.stdout[-300:]} {ended.stderr[-300:]}")
    return count


def power_cuts(scene: Scene, count: int) -> int:
    """A6: journals and pages that were not synced are torn; nothing acknowledged is lost."""
    for number, (kind, (mode, cached_pages, cut)) in enumerate(CUTS.items()):
        history = watched(scene.path(), mode, cached_pages)
        for _ in range(count // len(CUTS) + (number < count % len(CUTS))):
            folder = scene.path()
            problem = problem_after(folder, mode, cut(scene.chance, history))
            expect(not problem, f"{kind}: {problem}")
            shutil.rmtree(folder)
    return count


def stepped_clocks(scene: Scene, count: int) -> int:
    """B16: the clock jumps by up to a year at every look."""
    for _ in range(count):
        url = f"sqlite:///{scene.path('.db')}"
        store = open_store(url)
        now = [1.8e9]

        def clock(now: list[float] = now) -> float:
            now[0] += scene.chance.choice((-3600.0, -0.5, 0.0, 0.5, 3600.0, 3.2e7, -3.2e7))
            return max(now[0], 1.0)

        samples = make_samples(20)
        writer = start_run(store, "run", RUN_PLAN, now=clock)
        for start in range(0, len(samples), 5):
            batch = samples[start : start + 5]
            writer.record(batch, score(batch))
        read = [sample for sample, _ in read_run(store, find_run(store, "run"))]
        expect(read == samples, "records are in another order, or others")
        store.close()
    return count


def held_locks(scene: Scene, count: int) -> int:
    """A5: writers, while another program takes the lock again and again."""
    for url in scene.stores():
        store = open_store(url)
        store.write(lambda c: c.execute(text("CREATE TABLE counter (value INTEGER)")))
        store.write(lambda c: c.execute(text("INSERT INTO counter VALUES (0)")))
        store.close()
        each = count // 4
        ends = together([partial(_count_up, url, each)] * 4)
        expect(ends == [0] * 4, f"writers ended with {ends}")
        store = open_store(url)
        value = store.read(lambda c: c.execute(text("SELECT value FROM counter")).scalar_one())
        store.close()
        expect(value == 4 * each, f"{value} of {4 * each} writes are there")
    return len(scene.stores()) * 4 * (count // 4)


def _count_up(url: str, count: int) -> None:
    store = open_store(url)
    chance = random.Random(os.getpid())  # noqa: S311 -- moments, not secrets

    def work(connection: object) -> None:
        query = select(column("value")).select_from(table("counter")).with_for_update()
        value = connection.execute(query).scalar_one()
        if chance.random() < 0.1:
            time.sleep(chance.random() / 100)  # the others have to wait
        connection.execute(text("UPDATE counter SET value = :next"), {"next": value + 1})

    for _ in range(count):
        store.write(work)
    store.close()


def cut_connections(scene: Scene, count: int) -> int:
    """A7: PostgreSQL ends our connection in the middle of a batch."""
    if scene.postgres is None:
        return 0
    store = open_store(scene.postgres.database())
    calls = iter(range(1_000_000))
    cut_at = set(scene.chance.sample(range(20 * count), count))
    plain = run_writer.insert_rows

    def cut(connection: object, table: object, rows: object) -> None:
        if next(calls) in cut_at:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        plain(connection, table, rows)

    _write_through(store, cut, 30 * count)
    return count


def restarts(scene: Scene, count: int) -> int:
    """A8: PostgreSQL is restarted while a run is written."""
    postgres = scene.postgres
    if postgres is None:
        return 0
    store = open_store(postgres.database())
    plain = run_writer.insert_rows
    left = [count]

    def restart(connection: object, table: object, rows: object) -> None:
        if left[0] and scene.chance.random() < 0.1:
            left[0] -= 1
            postgres.stop("fast")
            postgres.start()
        plain(connection, table, rows)

    _write_through(store, restart, 60 * count)
    return count - left[0]


def _write_through(store: Store, insert: Callable[..., None], count: int) -> None:
    """Write a run whose rows are inserted by another function; all samples must be there once."""
    plain, samples = run_writer.insert_rows, make_samples(count)
    run_writer.insert_rows = insert
    try:
        stored_run(store, samples, "run", size=10)
    finally:
        run_writer.insert_rows = plain
    read = [sample for sample, _ in read_run(store, find_run(store, "run"))]
    store.close()
    expect(read == samples, "records are missing or there twice")


def two_writers(scene: Scene, count: int) -> int:
    """Two programs on one run: one of them writes it, the other is told so."""
    for _ in range(count):
        url = scene.chance.choice(scene.stores())
        open_store(url).close()
        ends = sorted(together([partial(_write_alone, url, number) for number in range(2)]))
        expect(ends in ([0, 0], [0, 3]), f"two writers ended with {ends}")
        store = open_store(url)
        ids = {sample.id.split("/")[0] for sample, _ in read_run(store, find_run(store, "run"))}
        total = find_run(store, "run").places
        store.close()
        expect((len(ids), total) == (1, 40), f"records of {sorted(ids)}, {total} in all")
    return count


def _write_alone(url: str, number: int) -> int:
    store = open_store(url)
    samples = [replace(sample, id=f"{number}/{sample.id}") for sample in make_samples(40)]
    try:
        writer = start_run(store, "run", RUN_PLAN, resume=True, lease=True)
        if writer.places:  # the other one was quicker, and has ended: its run is not ours
            writer.release()
            return 0
        for start in range(0, 40, 10):
            batch = samples[start : start + 10]
            writer.record(batch, score(batch))
        writer.release()
    except RunBusyError:
        return 3
    except AssayError:
        return 4
    finally:
        store.close()
    return 0


FAULTS: Trials[Callable[[Scene, int], int]] = {
    "runs killed at random moments": ("A1, A2, A4", killed_runs, 6, 100),
    "programs of all kinds killed": ("A1, A4, A18", killed_programs, 1, 100),
    "runs with a target killed": ("A1, A2", killed_asking, 6, 100),
    "signals, one or two": ("A3", signalled_runs, 3, 30),
    "workers of pytest killed": ("E7", killed_tests, 0, 5),
    "writers of files killed": ("A14", killed_writers, 60, 500),
    "workers killed": ("A18", killed_workers, 1, 25),
    "full disks": ("A13", full_disks, 1, 10),
    "power cuts": ("A6", power_cuts, 20, 1_000),
    "steps of the clock": ("B16", stepped_clocks, 5, 50),
    "writes among held locks": ("A5", held_locks, 80, 2_000),
    "connections cut": ("A7", cut_connections, 5, 100),
    "restarts of PostgreSQL": ("A8", restarts, 1, 10),
    "two writers of one run": ("A18", two_writers, 4, 50),
    "hostile pages, killed browsers": ("B11", hostile_pages, 0, 1000),
}


def main() -> None:
    postgres: Postgres | None = None
    with suppress(FileNotFoundError):
        postgres = Postgres()
    try:
        run_trials(
            __doc__,
            FAULTS,
            lambda work, seed, count, folder: work(Scene(folder, seed, postgres), count),
            LostError,
        )
    finally:
        if postgres:
            postgres.remove()


if __name__ == "__main__":
    main()
