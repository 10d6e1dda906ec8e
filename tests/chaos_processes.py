"""Faults of whole programs, for `make chaos`: signals, kills while a target is called, xdist."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.attempts import attempt
from tests.chaos_scene import (
    Scene,
    answered,
    expect,
    expect_whole,
    question_numbers,
    questions_asked,
)
from tests.runner import killed_asking as asking

from assay.store import open_store
from assay.store.run_list import find_run, read_run

ROOT = Path(__file__).parents[1]
QUESTIONS, RECORDS, CASES = 200, 60, 2000
END_SECONDS, SECOND_END_SECONDS = 10.0, 3.0
"""How long a program may take to end after a signal, and after a second one, on a busy machine."""
INTERRUPTED = 130
STORED = ("--run", "one", "--store", "s.db", "-q")

BOT = """
import itertools, os, signal, threading, time

set_handler = signal.signal
numbers = itertools.count(1)  # each thread gets one of its own

def note():
    with open("signalled", "w", encoding="utf-8") as file:
        file.write(repr(time.monotonic()))

def signal_and_send(number, handler):
    before = set_handler(number, handler)
    if handler is signal.default_int_handler:  # the first has been heard
        note()
        os.kill(os.getpid(), number)
    return before

def answer(query):
    number = next(numbers)
    with open("asked", "a", encoding="utf-8") as file:
        file.write(query + "\\n")
    moment = int(os.environ.get("MOMENT", 0))
    if moment and number == moment:
        if os.environ["MODE"] == "twice":
            signal.signal = signal_and_send
        note()
        os.kill(os.getpid(), getattr(signal, os.environ["SIGNAL"]))
    if moment and number >= moment and os.environ["MODE"] != "answering":
        threading.Event().wait()
    return f"You asked {query} Write to the desk."
"""
PLUGIN = """
import os, signal, time

import assay

@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="higher")
def length(response: str) -> float:
    '''How long the response is; at one of them the program gets a signal.'''
    if response == f"Answer {os.environ.get('MOMENT')}.":
        with open("signalled", "w", encoding="utf-8") as file:
            file.write(repr(time.monotonic()))
        main = os.getppid() if os.environ["MODE"] == "workers" else os.getpid()
        os.kill(main, getattr(signal, os.environ["SIGNAL"]))
    return len(response)
"""
SUITE = """
import os
import signal

import pytest

DYING = {dying}

@pytest.mark.parametrize("case", range({cases}))
def test_it(case, assay):
    assay.assert_quality(response=f"Answer {{case}} is fine.", metrics="text.safety")
    if case in DYING:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def signalled_runs(scene: Scene, count: int) -> int:
    """A3: a signal at a random moment; the program ends in time, alone, and can be resumed."""
    modes = ("stalled", "twice", "workers", "answering", "plain")
    seconds: dict[str, list[float]] = {}
    for number in range(count):
        folder = scene.path()
        folder.mkdir()
        name, mode = scene.chance.choice(("SIGTERM", "SIGINT")), modes[number % len(modes)]
        seconds.setdefault(mode, []).append(_signal_once(folder, mode, name, scene.chance))
    worst = ", ".join(f"{mode} {max(times):.2f} s" for mode, times in seconds.items())
    sys.stderr.write(f"longest time from the signal to the end: {worst}\n")
    return count


def _signal_once(folder: Path, mode: str, name: str, chance: Random) -> float:
    """Interrupt a run, resume it, and look at what is there; gives how long the end took."""
    is_asking = mode in ("stalled", "twice", "answering")
    words = _asking(folder) if is_asking else _scoring(folder, mode)
    moment = str(chance.randint(1, RECORDS - 10))
    ended, seconds, error = _ended(folder, words, {"MOMENT": moment, "MODE": mode, "SIGNAL": name})
    told = f"{mode} at {moment}, {name}: ended with {ended} after {seconds:.2f} s: {error[-300:]}"
    expect(ended == INTERRUPTED, told)
    expect(seconds <= (SECOND_END_SECONDS if mode == "twice" else END_SECONDS), told)
    expect("Traceback" not in error, told)
    safe = answered(f"sqlite:///{folder / 's.db'}", "one")
    seen = len(questions_asked(folder))
    ended, _, error = _ended(folder, [*words, "--resume"], {"MODE": mode})
    expect(ended == 0, f"{mode}: resumed, it ended with {ended}: {error[-300:]}")
    expect(
        safe.isdisjoint(questions_asked(folder)[seen:]),
        f"{mode}: an answered question was put again",
    )
    expect_whole(f"sqlite:///{folder / 's.db'}", RECORDS, "one")
    return seconds


def _ended(folder: Path, words: list[str], given: dict[str, str]) -> tuple[int, float, str]:
    """How a program ended, how long after the signal, and what it wrote; nothing may be left."""
    program = subprocess.Popen(
        [sys.executable, "-m", "assay", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", **given},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    _, error = program.communicate()
    now, file = time.monotonic(), folder / "signalled"
    is_signalled = "MOMENT" in given
    expect(not is_signalled or file.exists(), f"no signal was sent: {error[-300:]}")
    while _is_alive(program.pid):  # its workers hear of its end, and end
        expect(time.monotonic() < now + END_SECONDS, f"processes are left of {words}")
        time.sleep(0.05)
    return program.returncode, now - float(file.read_text()) if is_signalled else 0.0, error


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _asking(folder: Path) -> list[str]:
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    lines = [json.dumps({"id": f"q{n}", "query": f"Why {n} ?"}) for n in range(RECORDS)]
    (folder / "samples.jsonl").write_text("\n".join(lines), encoding="utf-8")
    target = ["--target", "python:bot.py:answer", "--concurrency", "4"]
    return ["run", "samples.jsonl", "-m", "text.safety", *target, *STORED]


def _scoring(folder: Path, mode: str) -> list[str]:
    (folder / "mine.py").write_text(PLUGIN, encoding="utf-8")
    lines = [json.dumps({"id": f"q{n}", "response": f"Answer {n}."}) for n in range(RECORDS)]
    (folder / "samples.jsonl").write_text("\n".join(lines), encoding="utf-8")
    workers = ["--workers", "2"] if mode == "workers" else []
    plugin = ["--plugin", "mine.py", "-m", "custom.length", "--batch-size", "5"]
    return ["run", "samples.jsonl", *plugin, *workers, *STORED]


def killed_asking(scene: Scene, count: int) -> int:
    """A1, A2: kills while a target is called; no answered question is put again."""
    urls = scene.stores()
    for url in urls:
        ledger = scene.path()
        ledger.touch()
        safe: set[int] = set()
        for _ in range(count // len(urls)):
            safe = _killed_once(scene.chance, url, ledger, safe)
        expect(attempt(asking.main, (url, QUESTIONS, str(ledger), "never", 0)) == 0, "not finished")
        store = open_store(url)
        responses = [sample.response for sample, _ in read_run(store, find_run(store, "run"))]
        store.close()
        expect(responses == [f"question {n}: yes." for n in range(QUESTIONS)], "answers differ")
    return count // len(urls) * len(urls)


def _killed_once(chance: Random, url: str, ledger: Path, safe: set[int]) -> set[int]:
    moments = list(asking.MOMENTS)
    moment = chance.choice(moments if safe else moments[:4])
    most = {"put": 20, "answered": 20, "delete": 20, "read_answers": 1}.get(moment, 3)
    seen = len(question_numbers(ledger))
    ended = attempt(asking.main, (url, QUESTIONS, str(ledger), moment, chance.randint(1, most)))
    expect(ended in (0, -signal.SIGKILL), f"a run ended with {ended}")
    expect(safe.isdisjoint(question_numbers(ledger)[seen:]), "an answered question was put again")
    kept = answered(url, "run")
    expect(kept >= safe, f"{len(safe - kept)} answers are gone")
    return kept


def killed_tests(scene: Scene, count: int) -> int:
    """E7: 2,000 quality tests in 8 workers of pytest, some of which are killed."""
    folder = scene.path()
    folder.mkdir()
    dying = sorted(scene.chance.sample(range(CASES), count))
    suite = SUITE.format(dying=dying, cases=CASES)
    (folder / "test_suite.py").write_text(suite, encoding="utf-8")
    words = ["-n8", "-q", "--assay-run=one", "--assay-store=s.db", "-p", "no:cacheprovider"]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    expect(found.returncode == 1, f"pytest ended with {found.returncode}: {found.stdout[-300:]}")
    store = open_store(f"sqlite:///{folder / 's.db'}")
    stored = list(read_run(store, find_run(store, "one")))
    store.close()
    names = Counter(int(re.search(r"\[(\d+)\]", sample.id)[1]) for sample, _ in stored)
    expect(names == dict.fromkeys(range(CASES), 1), f"{len(names)} of {CASES} cases are there once")
    is_told = re.search(rf"\b{count}\D+lost with a worker", found.stdout)
    expect(is_told is not None, f"the crashes are not told: {found.stdout[-500:]}")
    return count
