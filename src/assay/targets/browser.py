"""A chat page in a real browser: what a person sees is what is scored.

The page is opened in a fresh browser context for every conversation, and confined: requests to
other origins than the page's own and those allowed are refused, as are downloads, windows and
dialogs. Nothing of the page is trusted: its answer is read as text.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar
from unicodedata import bidirectional
from urllib.parse import urlsplit

from assay.core.errors import ProfileError
from assay.core.extras import require
from assay.targets.browser_supply import BrowserSupply, Started
from assay.targets.conversations import ConversationSessions
from assay.targets.protocol import Answer, Turn
from assay.targets.tables import read_table
from assay.wire.address import check_address, place_of
from assay.wire.call_errors import CallError, Fault
from assay.wire.http_client import MAX_PARTIAL
from assay.wire.limits import CallLimits

if TYPE_CHECKING:
    from playwright.async_api import (
        Browser,
        BrowserContext,
        Dialog,
        Page,
        Playwright,
        Route,
        WebSocketRoute,
    )

EXTRA = "browser"
Device = Literal["desktop", "phone"]
SIZES: Mapping[Device, tuple[int, int]] = {"desktop": (1280, 800), "phone": (390, 844)}
"""Width and height of the window."""
MAX_PAGES = 4
"""Conversations that stay open for a next turn, or as many as go on at a time where those are more;
a page costs tens of megabytes."""
MAX_ANSWER = 1_000_000
"""Characters of one answer."""
PARTIAL_SECONDS = 5.0
"""How long an unfinished answer is looked for when time is up."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
"""So that the browser asks nobody but the page."""
WATCH = """
([selector, done, seen, quiet, most]) => new Promise((resolve) => {
  let first = null, last = null, since = performance.now();
  const look = () => {
    const found = document.querySelectorAll(selector), now = performance.now();
    const text = found.length > seen ? found[found.length - 1].innerText.trim().slice(0, most) : "";
    if (text && first === null) first = now;
    if (text !== last) { last = text; since = now; }
    const busy = done && [...document.querySelectorAll(done)].some((e) => e.checkVisibility());
    if (text && !busy && now - since >= quiet) {
      const shown = found[found.length - 1];
      resolve({ text, first, end: since, direction: getComputedStyle(shown).direction,
                wide: document.documentElement.scrollWidth > innerWidth + 1 });
    } else setTimeout(look, 25);
  };
  look();
})
"""
"""Waits until an answer after the first `seen` ones has stood still for `quiet` milliseconds."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class BrowserSpec:
    """Where the page is, and where on it question and answer stand (CSS selectors)."""

    url: str
    input: str
    """The field that takes the question."""
    answer: str
    """All answers; the newest is the last that matches."""
    send: str = ""
    """What is clicked to send; without it the Enter key is pressed."""
    busy: str = ""
    """What is visible while the answer is being written, such as a typing mark."""
    device: Device = "desktop"
    quiet: float = 0.5
    """Seconds without a change after which an answer counts as whole."""
    allow: tuple[str, ...] = ()
    """Further origins that the page may load from, such as "https://static.example.org"."""
    program: str = ""
    """The browser's program; without it an installed Chromium or Chrome is looked for."""

    def __post_init__(self) -> None:
        check_address(self.url)
        if self.device not in SIZES:
            raise ProfileError(f"the device {self.device!r} is none of {', '.join(SIZES)}")
        if not 0 < self.quiet <= 60:
            raise ProfileError(f"'quiet' is {self.quiet!r}; expected 0 to 60 seconds")
        for name in ("input", "answer"):
            if not getattr(self, name).strip():
                raise ProfileError(f"the browser target has an empty {name!r}")

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Self:
        """The description in a table, such as a TOML file gives."""
        return read_table("browser", cls, given)


class BrowserTarget:
    """The page, in a browser that is started when the first question is asked."""

    returns: frozenset[str] = frozenset()

    def __init__(self, spec: BrowserSpec, *, limits: CallLimits | None = None) -> None:
        require("playwright.async_api", EXTRA)
        self.name = f"browser:{place_of(spec.url)} ({spec.device})"
        self._spec = spec
        self._limits = limits or CallLimits()
        self._browsers = BrowserSupply(self._start)
        self._pages: ConversationSessions[Page] = ConversationSessions(MAX_PAGES)
        self._active = 0
        self._origins = frozenset(map(_origin, (spec.url, *spec.allow)))

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        """What the page shows in answer to the last turn."""
        self._active += 1
        self._pages.limit = max(self._pages.limit, self._active)
        try:
            return await self._ask(turns)
        finally:
            self._active -= 1

    async def _ask(self, turns: Sequence[Turn]) -> Answer:
        page = self._pages.take(turns)
        try:
            async with asyncio.timeout(self._limits.total):
                page = page or await self._open(turns)
                answer = await self._exchange(page, turns[-1].content)
        except TimeoutError:
            partial = await self._partial(page)
            seconds = self._limits.total
            raise self._failed(f"no answer within {seconds:g} s", Fault.TIMEOUT, partial) from None
        except BaseException:
            await self._shut(page)
            raise
        if spare := self._pages.keep([*turns, Turn("assistant", answer.text)], page):
            await self._shut(spare)
        return answer

    async def close(self) -> None:
        """Close all pages and end the browser."""
        for page in self._pages.drain():
            await self._shut(page)
        await self._guard(self._browsers.close())

    async def _open(self, turns: Sequence[Turn]) -> Page:
        """A page of its own for a conversation; one that was begun elsewhere cannot be gone on."""
        if any(turn.role == "assistant" for turn in turns):
            raise self._failed("the page of this conversation is closed", Fault.UNUSABLE)
        browser = await self._browsers.take()
        try:
            return await self._open_in(browser)
        except BaseException:
            await self._guard(self._browsers.give_back(browser))
            raise

    async def _open_in(self, browser: Browser) -> Page:
        width, height = SIZES[self._spec.device]
        is_phone = self._spec.device == "phone"
        context = await self._guard(
            browser.new_context(
                viewport={"width": width, "height": height},
                is_mobile=is_phone,
                has_touch=is_phone,
                accept_downloads=False,
                service_workers="block",
            )
        )
        try:
            return await self._guard(self._load(context))
        except BaseException:
            await context.close()
            raise

    async def _load(self, context: BrowserContext) -> Page:
        await context.route("**/*", self._confine)
        await context.route_web_socket("**/*", self._confine_socket)
        page = await context.new_page()
        page.on("dialog", _dismiss)
        page.on("popup", _refuse)
        milliseconds = self._limits.first_byte * 1000
        await page.goto(self._spec.url, timeout=milliseconds, wait_until="domcontentloaded")
        await page.locator(self._spec.input).first.wait_for(timeout=milliseconds)
        return page

    async def _exchange(self, page: Page, question: str) -> Answer:
        spec = self._spec
        seen = await self._guard(page.locator(spec.answer).count())
        field = page.locator(spec.input).first
        await self._guard(field.fill(question, timeout=self._limits.idle * 1000))
        sent = time.monotonic()
        zero = await self._guard(page.evaluate("performance.now()"))
        if spec.send:
            await self._guard(page.locator(spec.send).first.click(timeout=self._limits.idle * 1000))
        else:
            await self._guard(field.press("Enter"))
        watched = [spec.answer, spec.busy, seen, spec.quiet * 1000, MAX_ANSWER + 1]
        page_text = await self._guard(page.evaluate(WATCH, watched))
        if _origin(page.url) not in self._origins:
            raise self._failed("the page went to another address", Fault.UNUSABLE)
        return self._answer(page_text, zero, page.url, time.monotonic() - sent)

    def _answer(self, page_text: Any, zero: Any, url: str, most: float) -> Answer:
        """What the page's own script reported, if it is what ours returns."""
        try:
            text, direction = _of(str, page_text["text"]), _of(str, page_text["direction"])
            first, end = (_seconds(page_text[name], zero, most) for name in ("first", "end"))
            is_wide = _of(bool, page_text["wide"])
        except (LookupError, TypeError, ValueError):
            raise self._failed("the page reports no answer", Fault.UNUSABLE) from None
        if len(text) > MAX_ANSWER:
            reason = f"an answer of more than {MAX_ANSWER} characters"
            raise self._failed(reason, Fault.TOO_LARGE, text[:MAX_PARTIAL])
        measured = {
            "device": self._spec.device,
            "direction": direction,
            "is_direction_right": direction == _direction(text, direction),
            "is_wider_than_window": is_wide,
        }
        return Answer(
            text,
            duration=end,
            first_token_time=first,
            raw={"url": url, **measured},
            metadata={"browser": measured},
        )

    async def _partial(self, page: Page | None) -> str:
        """What stands on the page when time is up; the page is closed."""
        if page is None:
            return ""
        try:
            newest = page.locator(self._spec.answer).last
            return (await self._guard(newest.inner_text(timeout=PARTIAL_SECONDS * 1000)))[
                :MAX_PARTIAL
            ]
        except CallError:  # nothing stands there, or the page no longer answers
            return ""
        finally:
            await self._shut(page)

    async def _shut(self, page: Page | None) -> None:
        """Close a page with its context; a browser that has died has closed it already."""
        if page is None:
            return
        browser = page.context.browser
        api = require("playwright.async_api", EXTRA)
        with suppress(api.Error):
            await page.context.close()
        if browser:
            await self._guard(self._browsers.give_back(browser))

    async def _start(self) -> Started:
        """A browser with a driver of its own."""
        api = require("playwright.async_api", EXTRA)
        driver: Playwright = await api.async_playwright().start()
        program = self._spec.program or next(filter(None, map(shutil.which, PROGRAMS)), None)
        launch = driver.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            return Started(driver, await self._guard(launch, Fault.ACCESS))
        except BaseException:
            await driver.stop()
            raise

    async def _confine(self, route: Route) -> None:
        """Let a request pass to the page's own origins only."""
        url = route.request.url
        is_inner = urlsplit(url).scheme in ("data", "blob")
        if is_inner or _origin(url) in self._origins:
            await route.continue_()
        else:
            await route.abort("blockedbyclient")

    async def _confine_socket(self, socket: WebSocketRoute) -> None:
        plain = socket.url.replace("ws", "http", 1)
        if _origin(plain) in self._origins:
            socket.connect_to_server()
        else:
            await socket.close(code=1008, reason="not allowed")

    async def _guard(self, step: Awaitable[_T], fault: Fault = Fault.CONNECTION) -> _T:
        """The step's outcome; what the browser complains of is told as a fault of the call."""
        api = require("playwright.async_api", EXTRA)
        try:
            return await step
        except api.TimeoutError as error:
            raise self._failed(_first_line(error), Fault.TIMEOUT) from None
        except api.Error as error:
            raise self._failed(_first_line(error), fault) from None

    def _failed(self, reason: str, fault: Fault, partial: str = "") -> CallError:
        return CallError(f"{self.name}: {reason}", fault, partial=partial)


def _origin(url: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(url)
        default = {"http": 80, "https": 443}.get(parts.scheme)
        return parts.scheme, parts.hostname or "", parts.port or default
    except ValueError:
        return "", "", None


def _direction(text: str, otherwise: str) -> str:
    """The direction that a text is read in: that of its first letter with one."""
    kinds = (bidirectional(char) for char in text)
    first = next((kind for kind in kinds if kind in ("L", "R", "AL")), None)
    return otherwise if first is None else "ltr" if first == "L" else "rtl"


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]


async def _dismiss(dialog: Dialog) -> None:
    await dialog.dismiss()


async def _refuse(popup: Page) -> None:
    await popup.close()


def _of(kind: type[_T], value: Any) -> _T:
    if type(value) is not kind:
        raise TypeError
    return value


def _seconds(at: Any, zero: Any, most: float) -> float:
    """Seconds of the page's clock, kept within those of ours."""
    seconds = float((at - zero) / 1000)
    if not isfinite(seconds):
        raise ValueError
    return min(max(seconds, 0.0), most)
