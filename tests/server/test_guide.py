"""Every command of the guide works as it stands."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.server.client import Client, live
from tests.store.new_stores import new_sqlite

GUIDE = Path(__file__).parents[2] / "docs/reference/server-api.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the guide's commands use curl")
def test_the_commands_of_the_guide_work(tmp_path):
    blocks = _BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    commands = [
        line.removeprefix("$ ")
        for block in blocks
        for line in block.splitlines()
        if line.startswith("$ ")
    ]
    assert len(commands) > 15
    client = Client(new_sqlite(tmp_path / "assay.db"), tmp_path, require_key=False)
    with live(client.app) as base:
        script = "\n".join(commands).replace("http://127.0.0.1:8040", base)
        done = subprocess.run(
            ["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    assert "event: end" in done.stdout
    assert '"verdict"' in done.stdout
