"""`python -m tests.docs.pictures`: the pictures of README and home page, from real output.

The six records of `examples/trivial.jsonl` on the terminal (SVG) and in the browser (PNG). The
first needs nothing but Assay, the second the page of reports and a Chromium.
"""

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text
from tests.docs.blocks import DOCS, ROOT

COMMAND = "assay run examples/trivial.jsonl"
COLUMNS = 96
TERMINAL = DOCS / "images/first-verdict-terminal.svg"
BROWSER = DOCS / "images/first-verdict-browser.png"
# Rich's own format without its font, which would come from the network.
FORMAT = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
font-size: {char_height}px; line-height: {line_height}px; white-space: pre; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}<g transform="translate({terminal_x}, {terminal_y})" \
clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""
ENVIRONMENT = {
    "ASSAY_ENCODER": "none",  # as after a plain installation
    "COLORTERM": "truecolor",
    "COLUMNS": str(COLUMNS),
    "FORCE_COLOR": "1",
    "TERM": "xterm-256color",
}


def output() -> str:
    """What the command prints on a terminal, with its colours."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    done = subprocess.run(
        [sys.executable, "-m", "assay", *COMMAND.split()[1:]],
        cwd=ROOT,
        env={**environment, **ENVIRONMENT},
        capture_output=True,
        text=True,
        check=True,
    )
    chosen = done.stderr.partition("\n")[0]  # below it there may be lines of progress
    return f"{chosen}\n\n{done.stdout}"


def terminal_picture() -> str:
    """The terminal as SVG."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), legacy_windows=False)  # noqa: SIM115, PTH123
    console.print(Text.assemble(("$ ", "bold green"), COMMAND))
    console.print(Text.from_ansi(output()))
    return console.export_svg(title="", code_format=FORMAT, unique_id="terminal")


def text_of(picture: str) -> list[str]:
    """The letters of a picture, line by line, without blanks and colours."""
    lines: dict[float, list[str]] = {}
    for y, text in re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>([^<]*)</text>', picture):
        lines.setdefault(float(y), []).append(unescape(text))
    return ["".join("".join(parts).split()) for _, parts in sorted(lines.items())]


def browser_picture(path: Path) -> None:
    """A screenshot of the report's first page."""
    from playwright.sync_api import sync_playwright
    from tests.required import chromium

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder) / "report.html"
        command = [sys.executable, "-m", "assay", "run", "examples/trivial.jsonl", "-q"]
        environment = {**os.environ, "ASSAY_ENCODER": "none"}
        subprocess.run([*command, "--out", str(report)], cwd=ROOT, env=environment, check=True)
        browser = playwright.chromium.launch(executable_path=chromium())
        page = browser.new_page(viewport={"width": 1120, "height": 660}, color_scheme="light")
        page.goto(report.as_uri())
        page.get_by_role("link", name="france-wrong").first.wait_for()
        page.screenshot(path=path, animations="disabled")
        browser.close()


if __name__ == "__main__":
    TERMINAL.write_text(terminal_picture(), encoding="utf-8")
    browser_picture(BROWSER)
