"""The commands of the README's table work, and say which extra they need where it is missing."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import pytest
from tests.docs.blocks import ROOT
from tests.docs.endpoint import endpoint
from tests.docs.test_blocks import FILES, call

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
ROWS = re.findall(r"^\| (?:[^|]+) \| ([^|]*`assay [^|]+) \| ([^|]*)\|$", TEXT, re.MULTILINE)
COMMANDS = [
    (command, re.findall(r"`([\w-]+)`", extras))
    for cell, extras in ROWS
    for command in re.findall(r"`(assay [^`]+)`", cell)
]
TYPED = [command for command, _ in COMMANDS if command != "assay serve"]
FINISHED = (0, 1)
"""Exit codes of a command that did its work; 1 says that gates fail or documents differ."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_ENCODER", "none")
    return tmp_path


def _words(command, address):
    return shlex.split(command.replace("http://localhost:8080/v1", address))


def test_the_table_is_read():
    assert len(ROWS) > 10
    assert {extra for _, extras in COMMANDS for extra in extras} <= set(EXTRAS)


def test_every_command_works_with_its_extras(folder, monkeypatch, capfd):
    with endpoint() as address:
        for command in TYPED:
            code, output = call(_words(command, address), monkeypatch, capfd)
            assert code in FINISHED, f"{command}\n{output}"


def _missing(output):
    """The extra that the last line names."""
    last = output.splitlines()[-1]
    hint = re.fullmatch(r'Error: .*: pip install "assay-eval\[([\w-]+)\]"', last)
    return hint[1] if hint else None


def _on_base(commands):
    """Exit code and output of each command on a base installation."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.docs.base_install"],
        input=json.dumps(commands),
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_base_installation_does_the_rest_and_says_what_is_missing(folder):
    with endpoint() as address:
        results = _on_base([_words(command, address) for command, _ in COMMANDS])
    for (command, extras), (code, output) in zip(COMMANDS, results, strict=True):
        if not set(extras) - {"models"}:  # without the encoder the rules decide alone
            assert code in FINISHED, f"{command}\n{output}"
            continue
        assert code == 2, f"{command}\n{output}"
        assert _missing(output) in extras, f"{command}\n{output}"


MISSING = {
    "serve": "server",
    "mcp": "mcp",
    "runs": "store",
    "keys list": "store",
    "run answers.jsonl -m text --out x.parquet": "parquet",
    "run answers.jsonl -m answer.similarity --embedder minilm --quiet": "minilm",
    "run answers.jsonl -m answer.similarity --embedder hf:x --json": "huggingface",
    "run answers.jsonl -m judge --judge openai:http://127.0.0.1:1/v1#m --quiet": "endpoint",
    "run questions.jsonl --target openai:http://127.0.0.1:1/v1#m": "endpoint",
}
"""Further commands → the extra that they need."""


def test_every_command_names_its_extra_before_it_does_anything(folder):
    results = _on_base([["assay", *command.split()] for command in MISSING])
    for (command, extra), (code, output) in zip(MISSING.items(), results, strict=True):
        assert (code, _missing(output)) == (2, extra), f"{command}\n{output}"
    assert not list(folder.glob("x.parquet*"))


def test_the_demo_needs_no_extra(folder):
    ((code, output),) = _on_base([["assay", "demo"]])
    assert code == 0, output


def test_the_extra_all_gives_store_server_endpoints_and_models():
    wanted = set(re.findall(r"[\w-]+", EXTRAS["all"][0].partition("[")[2]))
    assert {"store", "server", "endpoint", "models"} <= wanted <= set(EXTRAS)
