"""No traffic that nobody asked for."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.egress import EgressError
from tests.required import output_endings

DEMO = Path(__file__).parent.parent / "src" / "assay" / "data" / "demo.jsonl"
COUNTING = """
import sys
def hook(event, args):
    if event.startswith("socket.") and event != "socket.gethostname":
        sys.stderr.write(f"SOCKET {event} {args!r}\\n")
sys.addaudithook(hook)
from assay.cli import main
sys.argv = ["assay", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80)])
def test_the_guard_of_all_tests_refuses_other_machines(address):
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family) as connection, pytest.raises(EgressError):
        connection.connect(address)
    with pytest.raises(EgressError):
        socket.getaddrinfo("assay.example", 80)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_full_run_opens_no_socket(workers, tmp_path):
    store = f"sqlite:///{tmp_path / 'assay.db'}"
    endings = output_endings("jsonl", "json", "csv")
    outs = [f"--out={tmp_path / f'out.{ending}'}" for ending in endings]
    options = ["--metrics", "all", "--store", store, "--run", "one", "--workers", workers]
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, "run", str(DEMO), *options, *outs],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert "Written" in done.stderr
    assert "SOCKET" not in done.stderr


def test_the_count_of_sockets_sees_one():
    program = COUNTING.partition("from assay")[0] + "import socket; socket.socket().close()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "SOCKET socket.__new__" in done.stderr
