"""A chat page that behaves as it is told, well or badly, and servers on loopback for it."""

from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

PAGE = """<!doctype html><html><body style="margin:0"><div id="log"></div>
<input id="q"><button id="send">Send</button><div id="typing" hidden>…</div>
<script>
const trap = "TRAP", behaviour = "BEHAVIOUR";
const log = document.getElementById("log"), q = document.getElementById("q");
let turns = 0;
const say = (text, style = "") => {
  const p = document.createElement("p"); p.className = "bot"; p.style = style;
  p.textContent = text; log.append(p); return p;
};
const behaviours = {
  plain: (text) => say(`You said: ${text}`),
  counting: () => say(`turn ${++turns}`),
  arabic: () => say("مرحبا بكم", "direction:rtl"),
  arabic_left: () => say("مرحبا بكم"),
  wide: () => say("x", "width:3000px"),
  pieces: () => {
    document.getElementById("typing").hidden = false;
    const p = say("one"); let n = 0;
    const more = () => {
      p.textContent += " more";
      if (++n < 5) setTimeout(more, 60); else document.getElementById("typing").hidden = true;
    };
    setTimeout(more, 60);
  },
  markup: () => say('<img src=x onerror="alert(1)">'),
  silent: () => {},
  endless: () => { const p = say("a");
                   setInterval(() => { p.textContent += "a"; }, 10);
                   setTimeout(() => fetch("/shown"), 100); },
  blank: () => say("   "),
  alert: (text) => { alert("boo"); say(`after: ${text}`); },
  confirm: () => say(`confirmed: ${confirm("sure?")}`),
  popup: () => { window.open(`${trap}/popup`); say("opened"); },
  beacon: () => { navigator.sendBeacon(`${trap}/beacon`, "x");
                  fetch(`${trap}/fetch`).catch(() => {});
                  const i = new Image(); i.src = `${trap}/image`; say("sent"); },
  socket: () => { new WebSocket(trap.replace("http", "ws")); say("tried"); },
  download: () => { const a = document.createElement("a");
                    a.href = "/file"; a.download = "x"; a.click(); say("downloaded"); },
  away: () => { location.href = `${trap}/away`; },
  reload: () => { location.reload(); },
  huge: () => say("x".repeat(1500000)),
  liar: () => { performance.now = () => "soon"; say("lied"); fetch("/shown"); },
  forger: () => { window.getComputedStyle = () => ({ direction: 7 }); say("forged"); },
  busy_loop: () => { for (;;) {} },
  removed: () => { document.body.innerHTML = ""; },
};
behaviours.named = (text) => behaviours[text.split(" ")[0]](text);
const ask = () => { const text = q.value; q.value = ""; behaviours[behaviour](text); };
document.getElementById("send").onclick = ask;
q.onkeydown = (event) => { if (event.key === "Enter") ask(); };
</script></body></html>"""


SHOWN = Event()
"""Set when a page says that it has shown what it will."""


@contextmanager
def listening(answer):
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            body, kind = answer(self.path)
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            with suppress(BrokenPipeError):  # the browser was killed
                self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 -- http.server's name

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


@contextmanager
def trapped():
    """A server that the page must never reach: its address, and the paths that were asked."""
    with listening(lambda path: (b"trapped", "text/plain")) as found:
        yield found


@contextmanager
def chat_page(trap):
    """The page; its path names the behaviour, and for `named` the first word of a question does."""

    def answer(path):
        if path == "/shown":
            SHOWN.set()
        behaviour = path.strip("/") or "plain"
        text = PAGE.replace("TRAP", trap).replace("BEHAVIOUR", behaviour)
        return text.encode(), "text/html; charset=utf-8"

    with listening(answer) as (address, _):
        yield address
