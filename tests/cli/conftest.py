import sys

import pytest

from assay.cli import main


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Call the command line in a folder of its own; gives exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # where these tests run is no matter

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["assay", *map(str, args)])
        with pytest.raises(SystemExit) as stop:
            main()
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call
