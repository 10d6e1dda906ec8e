"""The fenced blocks of a page of documentation, and what to do with each.

A block with a title, as in ```` ```toml title="support.toml" ````, is a file of the reader's. A
comment `<!-- not run: reason -->` before a block says why no test runs it.
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+?) -->\n)?"
    r"^(?P<fence>`{3,})(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n"
    r"(?P<code>.*?)^(?P=fence)$",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"(?:^|\s)#\s.*$")
_EXIT_CODE = re.compile(r"# .*exit code (\d+)$")
SHELLS = {"console", "sh", "bash"}
SHOWN = {"", "text"}
"""Languages of blocks that nobody types: output, formulas, syntax."""


@dataclass(frozen=True)
class Block:
    language: str
    code: str
    title: str = ""
    reason: str = ""
    """Why it is not run."""
    line: int = 0


@dataclass(frozen=True)
class Command:
    line: str
    shown: tuple[str, ...]
    """Output that the page shows below it."""

    @property
    def words(self) -> list[str]:
        return shlex.split(_COMMENT.sub("", self.line))

    @property
    def exit_code(self) -> int:
        found = _EXIT_CODE.search(self.line)
        return int(found[1]) if found else 0


def place(page: Path) -> str:
    """What a page is called in tests."""
    return page.relative_to(DOCS if DOCS in page.parents else ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            match["language"],
            match["code"],
            match["title"] or "",
            match["reason"] or "",
            text.count("\n", 0, match.start("fence")) + 1,
        )
        for match in _BLOCK.finditer(text)
    ]


def commands(block: Block) -> list[Command]:
    """The commands of a block; in `console` what does not begin with `$` is output."""
    lines = block.code.replace("\\\n", " ").splitlines()
    if block.language != "console":
        return [Command(line, ()) for line in lines if line and not line.startswith("#")]
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        elif found and line.strip():
            found[-1][1].append(line)
    return [Command(line, tuple(shown)) for line, shown in found]


def shows(output: str, lines: tuple[str, ...]) -> bool:
    """Whether an output has these lines in this order; `…` stands for anything."""
    if not lines:
        return True
    patterns = [".*".join(map(re.escape, " ".join(line.split()).split("…"))) for line in lines]
    plain = "\n".join(" ".join(line.split()) for line in output.splitlines())
    return re.search("^" + r"$(?:\n.*)*?\n^".join(patterns) + "$", plain, re.MULTILINE) is not None
