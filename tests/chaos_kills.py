"""Whole programs that are killed, for `make chaos`: every kind of run on every kind of store.

`assay run` scores here or in workers, files or the answers of a target, into SQLite, PostgreSQL and
a schema of it. Each is killed at moments drawn by the seed and resumed; at the end no record is
lost or there twice, no answered question was put again, and the file has the bytes of a run that
nothing disturbed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.chaos_scene import Scene, answered, expect, expect_whole, questions_asked

from assay.store import open_store
from assay.store.run_list import find_run

ROOT = Path(__file__).parents[1]
BATCH = 5
KINDS = ((), ("--workers", "2"), ("--target",), ("--target", "--workers", "2"))
TARGET = ("--target", "python:bot.py:answer", "--concurrency", "4")
PLUGIN = '''
import os
import signal
from multiprocessing import parent_process

import assay
from assay.runner import answer_collector, answer_recorder
from assay.store import run_writer
from assay.store.run_writer import RunWriter

MOMENT, PLACE = os.environ.get("MOMENT"), int(os.environ.get("PLACE", 0))
answer_recorder.GROUP, answer_collector.WINDOW = 4, 16  # small steps, so that many moments differ
main = os.getppid() if parent_process() else os.getpid()


def dying(function):
    """The function, which kills the program in one of its calls, before its work or after."""
    left = [PLACE]

    def call(*args, **options):
        left[0] -= 1
        if left[0] == 0 and os.environ["IS_AFTER"] == "":
            os.kill(main, signal.SIGKILL)
        result = function(*args, **options)
        if left[0] == 0:
            os.kill(main, signal.SIGKILL)
        return result

    return call


if parent_process() is None:
    if MOMENT in ("insert_rows", "add_rollups", "read_places"):
        setattr(run_writer, MOMENT, dying(getattr(run_writer, MOMENT)))
    elif MOMENT in ("record", "finish"):
        setattr(RunWriter, MOMENT, dying(getattr(RunWriter, MOMENT)))


@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="higher")
def length(response: str) -> float:
    """How long the response is; at one of them the program is killed."""
    if MOMENT == "score" and response == f"Answer {PLACE}.":
        os.kill(main, signal.SIGKILL)
    return len(response)
'''
BOT = """
import os, signal
from itertools import count

numbers = count(1)

def answer(query):
    is_last = os.environ.get("MOMENT") == "ask" and next(numbers) == int(os.environ["PLACE"])
    with open("asked", "a", encoding="utf-8") as file:
        file.write(query + "\\n")
    if is_last:
        os.kill(os.getpid(), signal.SIGKILL)
    return f"Answer {query.split()[1]}."
"""


class Program(NamedTuple):
    """One kind of run on one store, in a folder of its own."""

    folder: Path
    url: str
    options: tuple[str, ...]
    records: int

    @property
    def is_asking(self) -> bool:
        """Whether a target answers."""
        return "--target" in self.options

    def write_files(self) -> None:
        """The plugin, the target and the data."""
        self.folder.mkdir()
        (self.folder / "mine.py").write_text(PLUGIN, encoding="utf-8")
        (self.folder / "bot.py").write_text(BOT, encoding="utf-8")
        texts = {"query": "Why {} ?"} if self.is_asking else {"response": "Answer {}."}
        lines = [
            json.dumps({"id": f"q{n}", **{field: text.format(n) for field, text in texts.items()}})
            for n in range(self.records)
        ]
        (self.folder / "samples.jsonl").write_text("\n".join(lines), encoding="utf-8")

    def ended(self, out: str, *words: str, **given: str) -> int:
        """Run the program to its end; what it wrote is shown where that was not expected."""
        program = subprocess.run(
            [
                *(sys.executable, "-m", "assay", "run", "samples.jsonl", "-q", "-o", out),
                *("--plugin", "mine.py", "-m", "custom.length,text.safety"),
                *("--batch-size", str(BATCH), *self.options, *words),
            ],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", **given},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if program.returncode not in (0, -signal.SIGKILL):
            sys.stderr.write(program.stderr[-500:])
        return program.returncode

    def safe_records(self) -> int:
        """How many records are stored."""
        store = open_store(self.url)
        places = find_run(store, "run").places
        store.close()
        return places


def killed_programs(scene: Scene, count: int) -> int:
    """A1, A2, A4, A18: whole programs of all kinds that are killed, on a grid of stores."""
    cells = list(product(KINDS, range(len(_stores(scene)))))
    for number, (options, place) in enumerate(cells):
        kills = count // len(cells) + (number < count % len(cells))
        if kills:
            words = tuple(word for option in options for word in _spelled(option))
            url = _stores(scene)[place]
            _kill_and_resume(
                Program(scene.path(), url, words, 20 * kills + 40), scene.chance, kills
            )
    return count


def _spelled(option: str) -> tuple[str, ...]:
    return TARGET if option == "--target" else (option,)


def _stores(scene: Scene) -> list[str]:
    """A new store of each kind; with PostgreSQL also one in a schema of its own."""
    urls = scene.stores()
    return [*urls, f"{scene.postgres.database()}&schema=team"] if scene.postgres else urls


def _kill_and_resume(program: Program, chance: Random, kills: int) -> None:
    program.write_files()
    safe: set[int] = set()
    records = 0
    stored = ("--run", "run", "--store", program.url, "--resume")
    for kill in range(kills):
        moment, place = _moment(chance, program.records, records, len(safe))
        if kill == kills - 1 and chance.random() < 0.5:
            moment, place = "finish", 1
        seen = len(questions_asked(program.folder))
        given = {"MOMENT": moment, "PLACE": str(place), "IS_AFTER": chance.choice(("", "1"))}
        ended = program.ended("out.jsonl", *stored, **given)
        told = f"{program.options}, {moment} {place}"
        expect(ended == -signal.SIGKILL, f"{told}: ended with {ended}")
        expect(not (program.folder / "out.jsonl").exists(), f"{told}: a file is there")
        again = safe.intersection(questions_asked(program.folder)[seen:])
        expect(not again, f"{told}: {len(again)} answered questions were put again")
        now, kept = program.safe_records(), answered(program.url, "run")
        expect(now >= records, f"{told}: {records} records were safe, and now {now}")
        expect(kept >= safe, f"{told}: {len(safe - kept)} answers are gone")
        records, safe = now, kept
    expect(program.ended("out.jsonl", *stored) == 0, f"{program.options}: not finished")
    expect(program.ended("whole.jsonl") == 0, f"{program.options}: not run without a store")
    files = [(program.folder / name).read_bytes() for name in ("out.jsonl", "whole.jsonl")]
    expect(files[0] == files[1], f"{program.options}: the files differ")
    expect(files[0].count(b"\n") == program.records, f"{program.options}: not a line for each")
    expect_whole(program.url, program.records)


def _moment(chance: Random, total: int, records: int, answers: int) -> tuple[str, int]:
    """Where a program dies: a function and its call there, or the number of a sample."""
    moments = ["score", "insert_rows", "add_rollups", "record"]
    moments += ["read_places"] * (records >= BATCH)
    moments += ["ask"] * (0 < answers <= total - 20)
    moment = chance.choice(moments)
    if moment == "score":
        return moment, records + chance.randrange(20)
    most = {"read_places": records // BATCH, "ask": 20}.get(moment, 4)
    return moment, chance.randint(1, most)
