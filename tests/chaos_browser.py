"""Chat pages that behave badly, and browsers that are killed, for `make chaos`."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from random import Random

import psutil
from tests.chaos_scene import Scene, expect
from tests.soak import median_slope
from tests.targets.chat_page import chat_page, trapped

from assay.core import Sample
from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
from assay.targets.browser import PROGRAMS, BrowserSpec, BrowserTarget
from assay.targets.protocol import Answer, Turn
from assay.wire.limits import CallLimits

ANSWERS = {
    "plain": "You said: {}",
    "alert": "after: {}",
    "markup": '<img src=x onerror="alert(1)">',
    "confirm": "confirmed: false",
    "popup": "opened",
    "beacon": "sent",
    "socket": "tried",
    "download": "downloaded",
    "counting": "turn 1",
}
"""Behaviour of the page → what it shows, whatever else it tries."""
FAULTS = ("forger", "huge")
SLOW = ("silent", "blank", "busy_loop", "removed", "away", "reload", "endless")
"""Behaviours that never show a whole answer; the call ends when its time is up."""
SLOW_SHARE, FAULT_SHARE = 0.01, 0.06
SECONDS = 120.0
"""Enough for a page on a busy machine; those that never answer cost it whole."""
MOST_GROWTH = 50.0
"""Megabytes in 1,000 conversations."""
LEAST_POINTS = 10
"""With fewer looks at the memory nothing can be told of its growth: the first pages fill caches."""
CONCURRENCY = 4
MOST_RENDERERS = 10 * CONCURRENCY
"""Processes for pages at one time; those of closed pages take a while to be gone."""
CONVERSATIONS_A_KILL, MOST_KILLS = 20, 20
END_SECONDS = 60.0
"""How long the processes of a closed browser may take to be gone, on a busy machine."""


class WatchedBrowser(BrowserTarget):
    """A browser whose processes are counted, and which is killed before some of its calls."""

    def __init__(self, spec: BrowserSpec, kills: Sequence[int] = ()) -> None:
        super().__init__(spec, limits=CallLimits(total=SECONDS))
        self._others = {*psutil.Process().children(recursive=True)}
        """What other faults have started, such as the tracker of `multiprocessing`."""
        self.processes: set[psutil.Process] = set()
        self.memory: list[tuple[float, float]] = []
        """Conversations so far, and the megabytes that the lasting processes hold alone then.

        Memory that processes share would count in each, and those of pages come and go."""
        self.renderers = 0
        """The most processes for pages at one time."""
        self.killed = 0
        self._kills = set(kills)
        self._calls = 0
        self._due = 0

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        """The answer of the page, or what becomes of a page whose browser is killed."""
        self._calls += 1
        if self._calls % 10 == 0:
            self._look()
        self._due += self._calls in self._kills
        if self._due and self._browsers.current:  # else one is being started: the next call kills
            self._look()
            self._kill()
        return await super().ask(turns)

    def _look(self) -> None:
        held = renderers = 0
        own = {*psutil.Process().children(recursive=True)} - self._others
        for process in (psutil.Process(), *own):
            try:
                is_page = "--type=renderer" in process.cmdline()
                held += 0 if is_page else process.memory_full_info().uss
            except (psutil.Error, FileNotFoundError):  # it ended meanwhile
                continue
            renderers += is_page
            if process.pid != os.getpid():
                self.processes.add(process)
        self.memory.append((self._calls, held / 1e6))
        self.renderers = max(self.renderers, renderers)

    def _kill(self) -> None:
        """Kill the oldest of the browser's processes, which holds the others."""
        browsers = [p for p in self.processes if p.is_running() and "chrom" in p.name()]
        if browsers:
            os.kill(min(browsers, key=psutil.Process.create_time).pid, signal.SIGKILL)
            self.killed += 1
            self._due -= 1


def hostile_pages(scene: Scene, count: int) -> int:
    """B11: conversations with rude pages, then browsers killed; 0 where there is none."""
    if find_spec("playwright") is None or not any(map(shutil.which, PROGRAMS)):
        return 0
    with ExitStack() as stack:
        trap, requests = stack.enter_context(trapped())
        page = stack.enter_context(chat_page(trap))
        spec = BrowserSpec(f"{page}/named", "#q", ".bot", send="#send", quiet=0.1)
        _talk_to_rude_pages(spec, scene.chance, count)
        kills = min(MOST_KILLS, max(1, count // CONVERSATIONS_A_KILL))
        _kill_browsers(spec, scene.chance, kills)
        expect(not requests, f"the page reached {requests[:3]}")
    return count


def _talk_to_rude_pages(spec: BrowserSpec, chance: Random, count: int) -> None:
    target = WatchedBrowser(spec)
    behaviours = [_behaviour(chance) for _ in range(count)]
    _expect_answers(target, behaviours, attempts=1)
    expect(target.renderers <= MOST_RENDERERS, f"{target.renderers} processes for pages at once")
    points = [point for point in target.memory if point[0] >= count * 0.3]
    if len(points) < LEAST_POINTS:
        return
    growth = median_slope(points) * 1000
    sys.stderr.write(
        f"{growth:+.1f} MB in 1,000 conversations, {target.renderers} renderers at most\n"
    )
    expect(growth <= MOST_GROWTH, f"{growth:.0f} MB in 1,000 conversations")


def _behaviour(chance: Random) -> str:
    draw = chance.random()
    if draw < SLOW_SHARE:
        return chance.choice(SLOW)
    return chance.choice(FAULTS if draw < SLOW_SHARE + FAULT_SHARE else tuple(ANSWERS))


def _kill_browsers(spec: BrowserSpec, chance: Random, kills: int) -> None:
    """Every conversation is answered, however often the browser under it is killed."""
    behaviours = [chance.choice(tuple(ANSWERS)) for _ in range(10 * kills)]
    places = [10 * number + chance.randint(2, 10) for number in range(kills)]
    target = WatchedBrowser(spec, places)
    _expect_answers(target, behaviours, attempts=6)
    expect(target.killed == kills, f"{target.killed} browsers were killed instead of {kills}")


def _expect_answers(target: WatchedBrowser, behaviours: Sequence[str], attempts: int) -> None:
    samples = [
        Sample(f"c{place}", query=f"{behaviour} {place}")
        for place, behaviour in enumerate(behaviours)
    ]
    collector = AnswerCollector(
        target, TargetCallOptions(attempts=attempts, concurrency=CONCURRENCY)
    )
    items = list(collector.items(samples))
    expect(len(items) == len(samples), f"{len(items)} of {len(samples)} conversations came back")
    for sample, item, behaviour in zip(samples, items, behaviours, strict=True):
        shown = ANSWERS.get(behaviour, "").format(sample.query)
        response = item.response if isinstance(item, Sample) else ""
        expect(response == shown, f"{sample.query!r} gave {item!r:.200}")
    left = _left(target.processes)
    expect(not left, f"{len(left)} processes are left: {left[:1]}")


def _left(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """The processes that do not end; a number that was given to another process is not waited for.

    An orphan is a zombie until the system's first process has looked at it.
    """
    _, left = psutil.wait_procs(filter(psutil.Process.is_running, processes), END_SECONDS)
    return [process for process in left if process.is_running()]
