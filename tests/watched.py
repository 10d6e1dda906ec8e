"""Payloads through metrics and comparisons, under a hook: `python -m tests.watched COUNT`.

In a process of its own, for a hook cannot be taken away again. Ends with an error where Python
executes, compiles, starts or writes anything meanwhile, and else prints how many there were.
"""

import random
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.metrics.hostile_texts import short

from assay import registry
from assay.core import AssayError, Sample
from assay.engine import make_plan, score_batch
from assay.runner.json_calls import compare_json

PAYLOADS = (
    "__import__('os').system('touch CANARY')",
    "{{7*7}} {% import os %} ${7*7} <%= 7*7 %> #{7*7} %(x)s {0.__class__}",
    "'; import os; os.system('touch CANARY') #",
    "$(touch CANARY) `touch CANARY` | touch CANARY ; touch CANARY",
    "=cmd|'/c touch CANARY'!A0",
    "!!python/object/apply:os.system ['touch CANARY']",
    "cos\nsystem\n(S'touch CANARY'\ntR.",
    '{"__reduce__": ["os.system", ["touch CANARY"]]}',
    "math.factorial(10**9)",
    "9**9**9**9",
    'exec(\'open("CANARY", "w")\')',
)
STARTS = {"exec", "compile", "os.system", "os.exec", "os.fork", "os.posix_spawn"}


def main(count: int) -> None:
    folder = Path(tempfile.mkdtemp())
    canary = folder / "canary"
    rng = random.Random(5)  # noqa: S311 -- the same texts every time
    texts = [payload.replace("CANARY", str(canary)) for payload in PAYLOADS]
    texts += [f"{rng.choice(texts)} {short(rng)}" for _ in range(count - len(texts))]
    plan = make_plan(registry.select(["text", "chat.response_quality", "safety", "answer"]))

    def work(texts: list[str]) -> None:
        samples = [Sample(str(n), query=t, response=t, expected=t) for n, t in enumerate(texts)]
        score_batch(plan, samples)
        for text in texts:
            with suppress(AssayError):
                compare_json(text, text)

    work(texts[:20])  # whatever is imported and compiled on first use
    seen = []

    def watch(event: str, args: tuple[object, ...]) -> None:
        is_writing = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
        if event in STARTS or event == "subprocess.Popen" or is_writing:
            seen.append((event, str(args)[:200]))

    sys.addaudithook(watch)
    work(texts)
    if seen or canary.exists():
        sys.exit(f"executed or written: {seen[:5]}")
    folder.rmdir()
    sys.stdout.write(f"{len(texts)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
