"""What Vite builds is part of the package, and of nothing else."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIG = (ROOT / "web/vite.config.ts").read_text(encoding="utf-8")
FOLDERS = re.findall(r'outDir: "\.\./(src/assay/[\w/]+)"', CONFIG)


def test_both_forms_are_built():
    assert FOLDERS == ["src/assay/server/static", "src/assay/report/page"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_built_goes_into_the_wheel_and_not_into_git(folder):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"{folder}/**" in project["tool"]["hatch"]["build"]["artifacts"]
    assert f"{folder}/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_hook_knows_every_file_that_pages_are_made_from():
    hook = (ROOT / "hatch_build.py").read_text(encoding="utf-8")
    ours = {"package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", ".npmrc", "src"}
    pages = {path.name for path in (ROOT / "web").glob("*.html")}
    assert pages == {"index.html", "report.html"}
    for name in ours | pages:
        assert f'    "{name}",\n' in hook, name
