"""Browsers for the pages of a run: one after the other, each for so many pages.

The driver of a browser keeps memory for every page that was opened, and gives it back late. So a
new browser takes over after `PAGES`, and the old one ends with the last of its pages.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

PAGES = 150
"""Pages that one browser opens; starting another costs about a second."""


class Started(NamedTuple):
    """A browser with its driver."""

    driver: Playwright
    browser: Browser


class BrowserSupply:
    """The browser that new pages are opened in, and those whose pages are not all closed yet."""

    def __init__(self, start: Callable[[], Awaitable[Started]], pages: int = PAGES) -> None:
        self._start = start
        self._most = pages
        self._now: Started | None = None
        self._opened = 0
        self._pages: Counter[Browser] = Counter()
        """How many pages of each browser are open."""
        self._retired: dict[Browser, Started] = {}
        self._starting = asyncio.Lock()

    @property
    def current(self) -> Browser | None:
        """The browser that the next page is opened in, where there is one."""
        return self._now and self._now.browser

    async def take(self) -> Browser:
        """A browser for one more page; a new one where it has died or has had its share."""
        async with self._starting:
            if self._now and (not self._now.browser.is_connected() or self._opened >= self._most):
                await self._retire(self._now)
                self._now = None
            if self._now is None:
                self._now, self._opened = await self._start(), 0
            self._opened += 1
            self._pages[self._now.browser] += 1
            return self._now.browser

    async def give_back(self, browser: Browser) -> None:
        """A page of the browser is closed."""
        self._pages[browser] -= 1
        if not self._pages[browser] and (retired := self._retired.pop(browser, None)):
            await _end(retired)

    async def close(self) -> None:
        """End all browsers."""
        left = [*self._retired.values(), *filter(None, [self._now])]
        self._retired, self._now = {}, None
        for started in left:
            await _end(started)

    async def _retire(self, started: Started) -> None:
        if self._pages[started.browser]:
            self._retired[started.browser] = started
        else:
            await _end(started)


async def _end(started: Started) -> None:
    """End a browser, dead or alive, and its driver."""
    from playwright.async_api import Error

    with suppress(Error):
        await started.browser.close()
    await started.driver.stop()
