"""Hostile input in bulk: `python -m tests.fuzz [--short] [--seed N]`, which is `make fuzz`.

Structure-aware: JSON is generated with the shapes that parsers disagree on, then bent; texts,
judge replies and requests are made of what each reader looks for. The same seed gives the same
input. Prints what was tried, and ends with 1 where anything was not read or refused as promised.
"""

from __future__ import annotations

import json
import logging
import random
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from tests.metrics.hostile_texts import check, short
from tests.trials import Trials, run_trials

from assay import registry
from assay.backends import Backends
from assay.backends.judge_questions import JudgeQuestion, Numbers, UntrustedText
from assay.backends.verdict_reader import read_verdict
from assay.core import AssayError, Sample, SampleError
from assay.core.errors import ColumnError
from assay.core.jsontext import dumps, loads
from assay.core.secrets import Redactor
from assay.engine import make_plan, score_batch
from assay.report.safe_text import visible
from assay.runner.json_calls import compare_json
from assay.samples import read_samples

NUMBERS = (
    *("0", "-0", "1e308", "1e309", "-1e400", "1e-400", "NaN", "Infinity", "-Infinity"),
    *("9" * 309, "9" * 400, "9" * 401, "1" * 5000, "0.1e+1", "1.", ".5", "01", "0x1", "1_0"),
    *("9007199254740993", "18446744073709551616", "1e2147483648"),
)
KEYS = (
    *("id", "query", "response", "expected", "contexts", "metadata", "tags", "weight", "duration"),
    *("__proto__", "", "\0", "\ud800", "a" * 5000, "expected_json", "response_json", "schema"),
)


class Broken(Exception):  # noqa: N818 -- not an error of the product's own
    """A promise that did not hold."""


def expect(is_so: bool, problem: str) -> None:
    """Fail with the problem unless it is so."""
    if not is_so:
        raise Broken(problem[:500])


def json_text(rng: random.Random, depth: int = 0) -> str:
    """Something like JSON, seldom wrong; its numbers, keys and nesting are odd."""
    kind = rng.randrange(12)
    if depth > 5 or kind < 3:
        return rng.choice(NUMBERS) if rng.random() < 0.3 else str(rng.randint(-99, 99))
    if kind < 6:
        return json.dumps(short(rng), ensure_ascii=rng.random() < 0.5)
    if kind == 6:
        return rng.choice(("true", "false", "null", "nul", "'x'", '"\\ud800"', '"\\u00"', '"\x01"'))
    if kind == 7:
        levels = rng.choice((5, 499, 500, 501, 5000))
        return "[" * levels + "]" * levels
    parts = [json_text(rng, depth + 1) for _ in range(rng.randrange(5))]
    if kind < 10:
        return f"[{', '.join(parts)}]"
    keys = [json.dumps(rng.choice(KEYS) if rng.random() < 0.7 else short(rng)) for _ in parts]
    return "{" + ", ".join(f"{key}: {part}" for key, part in zip(keys, parts, strict=True)) + "}"


def record_text(rng: random.Random) -> str:
    """A record with the fields of a sample, and anything in them."""
    names = rng.sample(KEYS, rng.randrange(1, 6))
    fields = [f"{json.dumps(name)}: {json_text(rng, 2)}" for name in names]
    return "{" + ", ".join(fields) + "}"


def bent(rng: random.Random, data: bytes) -> bytes:
    """The bytes with a few of them changed, left out or repeated."""
    for _ in range(rng.randrange(4)):
        if not data:
            break
        place, end = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
        data = rng.choice(
            (
                data[:place] + data[place + 1 :],
                data[:place] + bytes([rng.randrange(256)]) + data[place:],
                data[:place] + data[end:],
                data[:end] + data[place:],
            )
        )
    return data


def json_texts(rng: random.Random, count: int, folder: Path) -> int:
    """C7: any text is read or refused, and what is read is written and read again."""
    values = 0
    for _ in range(count):
        text = json_text(rng)
        if rng.random() < 0.2:
            text = bent(rng, text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
        values += 1 + text.count(",")
        try:
            value = loads(text)
        except ValueError:
            continue
        written = dumps(value)
        # As escapes: halves that stand side by side in Python are one character in JSON.
        again = loads(written)
        expect(json.dumps(again) == json.dumps(value), f"{text!r} is not read back")
    return values


def readers(rng: random.Random, count: int, folder: Path) -> int:
    """C7: a file of hostile lines gives a sample or a reason for each.

    A file whose columns are ambiguous is refused as a whole, by design: its values do not count.
    """
    path = folder / "hostile.jsonl"
    values = files = refused = 0
    while values < count:
        own, lines = hostile_lines(rng, 500)
        path.write_bytes(b'{"response": "first"}\n' + b"\n".join(lines) + b"\n")
        files += 1
        try:
            items = list(read_samples(str(path)))
        except ColumnError:
            refused += 1
            expect(refused <= 5 + files // 20, f"{refused} of {files} files were refused")
            continue
        values += own
        expected = 1 + sum(bool(line.strip(b" \t\x0b\x0c\x1c\x1d\x1e\x1f\x85")) for line in lines)
        expect(
            len(items) >= expected - sum(b"\0" in line for line in lines) - 5,
            f"{len(items)} of {expected} lines were told of",
        )
        expect(all(isinstance(item, Sample | SampleError) for item in items), "another item")
    sys.stderr.write(f"{files} files, {refused} of them refused for ambiguous columns\n")
    return values


def hostile_lines(rng: random.Random, count: int) -> tuple[int, list[bytes]]:
    """So many lines of a file, and how many values stand in them."""
    values, lines = 0, []
    for _ in range(count):
        text = record_text(rng)
        values += 1 + text.count(",")
        line = text.encode("utf-8", "surrogatepass")
        line = bent(rng, line) if rng.random() < 0.2 else line
        lines.append(line.replace(b"\n", b" ").replace(b"\r", b" "))
    return values, lines


def metrics(rng: random.Random, count: int, folder: Path) -> int:
    """C1: hostile texts have finite scores in range, or a reason; evidence lies in its text."""
    fakes = Backends(embedder="fake", token_embedder="fake", classifier="fake")
    plan = make_plan(registry.select(["all"]), backends=fakes)
    for start in range(0, count, 50):
        batch = [
            Sample(str(start + n), query=short(rng), response=short(rng), expected=short(rng))
            for n in range(50)
        ]
        for sample, scores in zip(batch, score_batch(plan, batch), strict=True):
            check(sample, scores)
    return count


def comparisons(rng: random.Random, count: int, folder: Path) -> int:
    """C1: hostile documents are compared or refused."""
    for _ in range(count):
        truth, output = json_text(rng), json_text(rng)
        try:
            result = compare_json(truth, output if rng.random() < 0.7 else truth)
        except AssayError:
            continue
        dumps(result.to_json())
    return count


def shown_texts(rng: random.Random, count: int, folder: Path) -> int:
    """D16, F1: nothing that is shown acts, and no secret is in it."""
    hide = Redactor(["canary-secret-42"])
    for _ in range(count):
        text = short(rng) + rng.choice(("", "canary-secret-42", "://a:b@", "token=")) + short(rng)
        line = visible(hide(text))
        expect("canary-secret-42" not in line, f"{text!r} shows a secret")
        expect(not any(ord(c) < 32 and c not in "\t\n" for c in line), f"{line!r} acts")
        expect(not any(0x7F <= ord(c) < 0xA0 for c in line), f"{line!r} acts")
    return count


def judge_replies(rng: random.Random, count: int, folder: Path) -> int:
    """C17: a reply is one verdict within the scale, or none; some are right."""
    question = JudgeQuestion("Judge.", (UntrustedText("Answer", "x"),), Numbers(1, 5))
    nonce, right = "abcd1234", 0
    for _ in range(count):
        score = rng.choice(("1", "5", "3.5", "6", "0", json_text(rng, 4)))
        reason = rng.choice(('"fine"', json_text(rng, 5)))
        own = rng.choice((nonce, nonce, "abcd1235"))
        fields = [f'"nonce": "{own}"', f'"score": {score}', f'"reason": {reason}', '"quote": "x"']
        rng.shuffle(fields)
        text = "{" + ", ".join(fields[: rng.choice((4, 4, 4, 3))]) + "}"
        fenced = f"```json\n{text}\n```"
        text = rng.choice((text, text, fenced, text + text, short(rng) + text, short(rng)))
        try:
            verdict = read_verdict(text, question, nonce)
        except ValueError:
            continue
        right += 1
        expect(1 <= float(verdict.answer) <= 5, f"{text!r} gave {verdict}")
        expect(nonce in text, f"{text!r} was taken without its nonce")
    expect(right > 0, "no reply was right, so nothing was tried")
    return count


def requests(rng: random.Random, count: int, folder: Path) -> int:
    """D11: raw bytes on a connection get an answer that is no failure, or none."""
    from tests.server.client import Client, live

    from assay.server.openapi import document

    logging.disable()  # a line for each request that is none
    client = Client(f"sqlite:///{folder / 's.db'}", folder, require_key=False)
    paths = [
        (method.upper(), path)
        for path, operations in document()["paths"].items()
        for method in operations
        if method in ("get", "post", "put", "delete") and "events" not in path
    ]
    with live(client.app) as base:
        port = urlsplit(base).port
        for _ in range(count):
            method, path = rng.choice(paths)
            body = record_text(rng).encode("utf-8", "surrogatepass")
            head = (
                f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n"
                f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            ).encode()
            data = head + body
            data = bent(rng, data) if rng.random() < 0.5 else data
            answer = _sent(port, data)
            expect(not answer.startswith(b"HTTP/1.1 5"), f"{data[:200]!r}: {answer[:300]!r}")
        plain = b"GET /health HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nconnection: close\r\n\r\n"
        expect(b'"ok"' in _sent(port, plain % port), "the server is not well")
    return count


def described_requests(rng: random.Random, count: int, folder: Path) -> int:
    """D11: requests made from the API's description, by Schemathesis, with a key of an admin."""
    from tests.server import test_schema as schema
    from tests.server.client import Client, live

    logging.disable()
    client = Client(f"sqlite:///{folder / 's.db'}", folder)
    schema.stored_run(client.store, schema.make_samples(5), "first")
    schema.stored_run(client.store, schema.make_samples(5), "second")
    headers = {"authorization": f"Bearer {client.key('admin')}"}
    found = [operation.ok() for operation in schema.from_dict(schema.DOCUMENT).get_all_operations()]
    operations = [operation for operation in found if not schema.is_endless(operation)]
    rng.shuffle(operations)
    schema.EXAMPLES = max(1, count // len(operations))
    with live(client.app) as base:
        for operation in operations:
            schema.try_requests(operation, base, headers)
    return schema.EXAMPLES * len(operations)


def _sent(port: int, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as opened:
        opened.sendall(data)
        opened.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while part := opened.recv(65536):
                answer += part
        except ConnectionResetError:
            pass
    return answer


TARGETS: Trials[Callable[[random.Random, int, Path], int]] = {
    "JSON texts, in values": ("C7", json_texts, 3_000, 2_000_000),
    "records of files, in values": ("C7", readers, 5_000, 5_000_000),
    "texts through metrics": ("C1", metrics, 150, 34_000),
    "pairs of documents": ("C1", comparisons, 300, 20_000),
    "texts that are shown": ("D16, F1", shown_texts, 3_000, 500_000),
    "replies of judges": ("C17", judge_replies, 2_000, 500_000),
    "requests, half of them bent": ("D11", requests, 200, 20_000),
    "requests by the description": ("D11", described_requests, 0, 20_000),
}


def main() -> None:
    run_trials(
        __doc__,
        TARGETS,
        lambda work, seed, count, folder: work(random.Random(seed), count, folder),  # noqa: S311
        Broken,
    )


if __name__ == "__main__":
    main()
