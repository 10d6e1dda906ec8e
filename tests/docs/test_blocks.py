"""What the pages tell people to type works, in the order of the page, and prints what is shown."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from tests.docs.blocks import DOCS, ROOT, SHELLS, SHOWN, blocks, commands, place, shows
from tests.docs.endpoint import endpoint

from assay.cli import main

OTHERS = ("README.md", "CONTRIBUTING.md", "examples/chatbot/README.md")
"""Pages outside of the site."""
PAGES = sorted(
    page
    for page in (*map(ROOT.joinpath, OTHERS), *DOCS.rglob("*.md"))
    if any(block.language not in SHOWN for block in blocks(page))
)
ELSEWHERE = {"reference/server-api.md": "tests/server/test_guide.py"}
"""Pages whose commands another test runs."""
FILES = Path(__file__).parent / "files"
_ENDPOINT = re.compile(r"https?://(?:localhost:80\d\d|127\.0\.0\.1:8000|api\.example\.org)/v1")
"""Addresses of models in the pages; a small one on this machine answers in their place."""


@pytest.fixture(scope="module")
def address():
    with endpoint() as found:
        yield found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that readers of the guides have."""
    shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("ASSAY_ENCODER", "none")  # as after a plain installation
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


@pytest.mark.parametrize("page", [p for p in PAGES if place(p) not in ELSEWHERE], ids=place)
def test_what_a_page_tells_to_type_works(page, folder, address, monkeypatch, capfd):
    names = {}
    if page.is_relative_to(ROOT / "examples"):
        monkeypatch.chdir(folder / page.parent.relative_to(ROOT))
    for block in blocks(page):
        where = f"{place(page)}, line {block.line}"
        if block.reason:
            continue
        if block.title:
            (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.title).write_text(_ENDPOINT.sub(address, block.code), encoding="utf-8")
        if block.language in SHOWN:
            continue
        if block.language == "python":
            _run_python(block, names, where, capfd)
        elif block.language in SHELLS:
            for command in commands(block):
                words = [_ENDPOINT.sub(address, word.replace("…", "x")) for word in command.words]
                code, output = call(words, monkeypatch, capfd)
                assert code == command.exit_code, f"{where}: {command.line}\n{output}"
                assert shows(output, command.shown), f"{where}: {command.line}\n{output}"
        else:
            READERS[block.language](block.code)


def test_no_command_hides_in_a_block_that_is_only_shown():
    typed = re.compile(r"^(?:\$ )?(?:assay (?!=)|pip install|export [A-Z])", re.MULTILINE)
    shown = [
        f"{place(page)}, line {block.line}"
        for page in (*map(ROOT.joinpath, OTHERS), *DOCS.rglob("*.md"))
        for block in blocks(page)
        if block.language in SHOWN and typed.search(block.code)
    ]
    assert shown == []


def _run_python(block, names, where, capfd):
    if block.title:
        return  # a file of the reader's, which later commands use
    exec(compile(block.code, where, "exec"), names)  # noqa: S102 -- our own pages
    printed = capfd.readouterr().out.split()
    promised = " ".join(re.findall(r"^(?:print\(.*\)  )?# (.*)$", block.code, re.MULTILINE)).split()
    if promised:
        assert printed == promised, where


def call(words, monkeypatch, capfd):
    """Run a command; the exit code and all that was printed."""
    if words[0] in CHECKED:
        return CHECKED[words[0]](words)
    if words[:2] == ["assay", "serve"]:
        return _serve(words[2:])
    if words[0] == "export":
        words = words[1:]
    while words and (name := re.fullmatch(r"([A-Z_]+)=(.*)", words[0])):
        monkeypatch.setenv(name[1], name[2])
        words = words[1:]
    if not words:
        return 0, ""
    if words[0] == "pytest":
        words = [sys.executable, "-m", *words, "-p", "no:cacheprovider"]
    if words[0] != "assay":
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as stop:
        main()
    captured = capfd.readouterr()
    return stop.value.code or 0, captured.err + captured.out


def _check_pip(words):
    """Whether what is installed exists; to install it would change the environment of the tests."""
    named = {extra for word in words for extra in re.findall(r"(?<=[\[,])[\w-]+(?=[\],])", word)}
    unknown = named - set(PROJECT["optional-dependencies"])
    folders = [word for word in words if word.startswith("./") and not (ROOT / word).is_dir()]
    return (1, f"unknown: {unknown} {folders}") if unknown or folders else (0, "")


def _check_make(words):
    """Whether the Makefile has the target; most of them take minutes."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(rf"^{words[1]}:", text, re.MULTILINE)
    return (0, "") if found else (1, f"no target {words[1]}")


CHECKED = {
    "pip": _check_pip,
    "make": _check_make,
    "python3": lambda words: (0, ""),  # the tests have an environment
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _serve(options):
    """Start the server on a free port, and stop it when it has said where it is."""
    command = [sys.executable, "-m", "assay", "serve", *options, "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        line = server.stdout.readline()
        server.terminate()
        rest = server.communicate()[0]
    is_right = re.match(r"Assay is at http://127\.0\.0\.1:\d+/", line)
    return (0, re.sub(r":\d+/", ":8040/", line)) if is_right else (1, line + rest)


def _read_json(text):
    try:
        json.loads(text)
    except json.JSONDecodeError:
        for line in text.splitlines():
            json.loads(line)


READERS = {
    "csv": lambda text: list(csv.reader(text.splitlines(), strict=True)),
    "json": _read_json,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}


@pytest.mark.parametrize("page", ELSEWHERE)
def test_a_page_that_is_run_elsewhere_is_named_there(page):
    assert f'"docs/{page}"' in (ROOT / ELSEWHERE[page]).read_text(encoding="utf-8")


def test_output_is_shown_by_its_lines():
    output = "one  1\ntwo\nthree   3 of 4\n"
    assert shows(output, ("one 1", "three 3 …"))
    assert shows(output, ())
    assert not shows(output, ("three 3 …", "one 1"))
    assert not shows(output, ("thr",))
