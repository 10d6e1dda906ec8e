"""Somebody who looks at pages, and notices what goes wrong behind them."""

HOOK = """
window.__ran = window.__asked = window.__since = 0;
window.alert = () => { window.__ran += 1; };
const ask = window.fetch;
window.fetch = (...given) => {
  window.__asked += 1;
  return ask(...given).finally(() => { window.__asked -= 1; });
};
"""
"""Counts what hostile text managed to run, and the answers that are awaited."""

SETTLED = """wait => {
  if (window.__wait !== wait) Object.assign(window, { __wait: wait, __since: 0 });
  const isQuiet = document.querySelector('h1, .login') && !document.querySelector('.loading');
  const now = performance.now();
  window.__since = isQuiet && !window.__asked ? window.__since || now : 0;
  return window.__since > 0 && now - window.__since > 100;
}"""
"""Nothing has been awaited for a while, so nothing follows from an answer. The quiet of an earlier
wait, before a key was pressed, does not count."""

TURN = """hash => new Promise((done) => {
  window.__since = 0;
  window.addEventListener('hashchange', () => requestAnimationFrame(done), { once: true });
  window.location.hash = hash;
})"""


class Visitor:
    """One page of a browser; knows what it complained about and where it asked."""

    def __init__(self, browser, site, width, theme, locale="en-GB"):
        self._site = site
        self._context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=theme,
            locale=locale,
            accept_downloads=True,
        )
        self.page = self._context.new_page()
        self.page.set_default_timeout(60_000)  # a loaded machine is slow, not wrong
        self.page.add_init_script(HOOK)
        self._waits = 0
        self.complaints = []
        self.strangers = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._request)

    def open(self, address):
        """Go to an address behind the `#`."""
        self.page.goto("about:blank")
        self.page.goto(f"{self._site}/#{address}")
        return self.settle()

    def turn(self, address):
        """Go to another address as a link does: without loading the page anew."""
        self.page.evaluate(TURN, address)
        return self.settle()

    def settle(self):
        """Wait until the page has all that it asked for."""
        self._waits += 1
        self.page.wait_for_function(SETTLED, arg=self._waits)
        return self

    def close(self):
        """Look back: no complaint, no request elsewhere, nothing of the data was run."""
        ran = self.page.evaluate("window.__ran")
        self._context.close()
        assert self.complaints == [], self.complaints
        assert self.strangers == [], self.strangers
        assert ran == 0, ran

    def fits(self):
        """Whether the page needs no scrolling sideways."""
        return self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def _request(self, request):
        if not request.url.startswith((self._site, "blob:", "data:", "about:")):
            self.strangers.append(request.url)


def wait_for_held(page, held, count):
    """Until `count` requests are held: the page asks a moment before we hear of it."""
    for _ in range(10_000):
        if len(held) >= count:
            return
        page.evaluate("0")
    raise AssertionError(f"{len(held)} of {count} requests were held")
