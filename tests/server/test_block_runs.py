"""A run by blocks is shown as the same data in an ordinary stored run."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb", reason='duckdb is not installed: pip install "assay-eval[scale]"')
pytest.importorskip("ddsketch", reason='ddsketch is not installed: pip install "assay-eval[scale]"')
import pyarrow as pa
import pyarrow.parquet as pq
from tests.server.client import Client

from assay.core import UsageError
from assay.engine import GatePolicy, parse_gate
from assay.runner.block_run import BlockData, BlockRequest
from assay.runner.execute import RecordRequest, RunRequest, execute
from assay.runner.gating import GateRequest
from assay.runner.job import make_job
from assay.samples import read_samples
from assay.settings import Settings
from assay.store import groups as run_groups
from assay.store import open_store
from assay.store.rollups import MAX_GROUPS, OTHER
from assay.store.run_list import find_run
from assay.store.run_parts import read_sketches

METRICS = ("text.safety", "text.conciseness", "text.completeness", "governance.pii_protection")
OWN = {"test_id", "run", "timestamp", "created", "updated", "finished", "system_metrics"}
"""What differs between two runs of the same data."""
ANSWERS = ("A fine answer.", "You are an idiot.", "Write to joe@example.com, perhaps, or don't.")


def record(n: int) -> dict[str, Any]:
    return {
        "id": f"r{n:03}" if n != 5 else "straße_5%",
        "query": f"What is number {n}?" if n % 4 else None,
        "response": f"Number {n}: {ANSWERS[n % 3]} {'More words follow. ' * (n % 7)}",
        "expected": "A fine answer." if n % 5 == 0 else None,
        "duration": -1.0 if n == 11 else n / 10,
        "tags": ["even"] if n % 2 == 0 else ["odd", "rare"] if n == 7 else ["odd"],
        "contexts": [f"Context {n} of the Library.", "NUL \0 and more"] if n % 6 == 0 else [],
        "language": "en" if n % 10 else "ar",
    }


def scored(
    data: Path, store: str, name: str, folder: Path | None, detail: Any = "full", **more: Any
) -> None:
    settings = Settings.load(overrides={"metrics": METRICS, "store": store})
    resume, rows = more.pop("resume", False), more.pop("rows", 7)
    source = BlockData(str(data), settings)
    blocks = folder and BlockRequest(data=source, out=f"{folder}/", rows=rows, resume=resume)
    execute(
        RunRequest(
            items=source.items() if blocks else read_samples(str(data)),
            job=make_job(settings),
            settings=settings,
            source=str(data),
            total=60,
            detail=detail,
            blocks=blocks or None,
            gates=GateRequest((parse_gate("text.safety>=0.99"),), GatePolicy()),
            record=RecordRequest(store=store, name=name, resume=resume),
            **more,
        )
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blocks") / "data"
    folder.mkdir()
    for part in range(2):
        rows = [record(n) for n in range(part * 30, part * 30 + 30)]
        pq.write_table(pa.Table.from_pylist(rows), folder / f"part-{part}.parquet")
    return folder


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def new_store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], str]:
    """Gives the addresses of empty stores of each kind."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path_factory.mktemp('store') / 'assay.db'}"
    database: Callable[[], str] = request.getfixturevalue("postgres").database
    return database


@pytest.fixture(scope="module")
def client(
    data: Path, new_store: Callable[[], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    folder, store = tmp_path_factory.mktemp("served"), new_store()
    scored(data, store, "plain", None)
    scored(data, store, "blocks", folder / "out")
    with Client(store, folder) as made:
        yield made


def answers(client: Client, path: str, **params: Any) -> list[Any]:
    """What both runs answer, without what names the run."""
    both = []
    for name in ("plain", "blocks"):
        named = {"run": name, **params} if "{" not in path else params
        answer = client.get(path.format(name), params=named)
        assert answer.status_code == 200, answer.text
        both.append(without_own(answer.json()))
    return both


def without_own(value: Any) -> Any:
    if isinstance(value, dict):
        place = {"place": int(value["test_id"], 16) % 2**32} if "test_id" in value else {}
        kept = {key: without_own(part) for key, part in value.items() if key not in OWN}
        return kept | place | ({"name": ""} if value.get("name") in ("plain", "blocks") else {})
    if isinstance(value, list):
        return [without_own(part) for part in value]
    return pytest.approx(value, rel=1e-12, nan_ok=True) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/v1/runs/{}", {}),
        ("/v1/runs/{}/metrics", {}),
        ("/v1/runs/{}/groups", {}),
        ("/v1/runs/{}/values", {"metric": "text.conciseness"}),
        ("/v1/runs/{}/values", {"metric": "text.conciseness", "limit": 100}),
        ("/v1/statistics", {}),
        ("/v1/tests/failed/patterns", {}),
        ("/v1/tests/failed/patterns", {"tag": "odd"}),
        ("/v1/tests/failed/groups", {}),
    ],
)
def test_figures_are_the_same(client: Client, path: str, asked: dict[str, Any]) -> None:
    plain, blocks = answers(client, path, **asked)
    assert blocks == plain


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"limit": 5, "offset": 3},
        {"status": "failed"},
        {"status": "passed", "tag": "odd"},
        {"tag": "rare"},
        {"language": "ar"},
        {"metric": "text.conciseness"},
        {"metric": "text.conciseness", "value_from": 0.2, "value_to": 0.9},
        {"metric": "text.conciseness", "quality_from": 0.3, "quality_to": 0.55},
        {"metric": "text.safety", "quality_from": 0.95, "quality_to": 1.0},
        {"metric": "text.completeness", "order": "-value"},
        {"metric": "governance.pii_protection"},
        {"metric": "no.such"},
        {"fails": "text.safety"},
        {"fails": "no.such"},
        {"order": "name"},
        {"order": "-duration"},
        {"order": "language"},
        {"order": "status"},
        {"text": "library"},
        {"text": "JOE@example"},
        {"text": "r01"},
        {"text": "5%"},
        {"text": "'; DROP TABLE runs; --"},
        {"text": "fine", "status": "passed", "metric": "text.safety"},
        {"metric": 'text.safety" OR 1=1 --'},
    ],
    ids=str,
)
def test_lists_are_the_same(client: Client, asked: dict[str, Any]) -> None:
    plain, blocks = answers(client, "/v1/tests", **asked)
    assert blocks == plain


def test_worst_samples_are_shown_whole(client: Client) -> None:
    both = [
        client.get("/v1/tests", params={"run": name, "limit": 60}).json()["items"]
        for name in ("plain", "blocks")
    ]
    assert len(both[0]) == 59
    for plain, blocks in zip(*both, strict=True):
        one, two = (client.get(f"/v1/tests/{test['test_id']}").json() for test in (plain, blocks))
        assert without_own(two) == without_own(one)


@pytest.mark.parametrize("format", ["jsonl", "csv", "json"])
def test_exports_are_the_same(client: Client, format: str) -> None:
    plain, blocks = (
        client.get(f"/v1/runs/{name}/export", params={"format": format}).text
        for name in ("plain", "blocks")
    )
    assert blocks == plain
    assert "r010" in plain


def test_what_needs_samples_in_the_store_is_refused(client: Client) -> None:
    refused = [
        client.get("/v1/runs/blocks/export", params={"format": "run"}),
        client.get("/v1/runs/blocks/queue", params={"metric": "text.safety"}),
        client.get("/v1/matrix", params={"runs": "plain,blocks"}),
    ]
    for answer in refused:
        assert answer.status_code == 400, answer.text
        assert "lie in Parquet files" in answer.json()["error"]


def test_sketches_are_kept(client: Client) -> None:
    run = client.get("/v1/runs/blocks").json()
    assert run["tests"] == 59
    sketches = read_sketches(client.store, 2)
    assert set(sketches) == set(METRICS)
    assert sum(count for _, count in sketches["text.safety"]) == 59


def test_without_reasons_a_sample_says_so(
    data: Path, tmp_path: Path, new_store: Callable[[], str]
) -> None:
    store = new_store()
    scored(data, store, "values", tmp_path / "out", "values")
    with Client(store, tmp_path) as client:
        worst = client.get("/v1/tests", params={"run": "values"}).json()["items"][0]
        whole = client.get(f"/v1/tests/{worst['test_id']}").json()
        assert whole["results"]["text.safety"]["value"] is not None
        assert whole["results"]["text.safety"]["explanation"].startswith("The run keeps no reasons")


def test_a_folder_that_is_gone_is_a_clear_message(
    data: Path, tmp_path: Path, new_store: Callable[[], str]
) -> None:
    store = new_store()
    scored(data, store, "gone", tmp_path / "out", "values")
    with Client(store, tmp_path) as client:
        worst = client.get("/v1/tests", params={"run": "gone"}).json()["items"][0]
        shutil.rmtree(tmp_path / "out")
        assert client.get("/v1/runs/gone").status_code == 200
        assert client.get("/v1/runs/gone/metrics").status_code == 200
        for path in (
            "/v1/tests?run=gone",
            "/v1/tests?run=gone&text=fine",
            f"/v1/tests/{worst['test_id']}",
            "/v1/runs/gone/values?metric=text.safety",
        ):
            answer = client.get(path)
            assert answer.status_code == 404
            assert "put it back, or remove the run" in answer.json()["error"]
            assert str(tmp_path) not in answer.text


def test_a_run_goes_on_and_counts_each_block_once(
    data: Path, tmp_path: Path, new_store: Callable[[], str]
) -> None:
    store = new_store()
    scored(data, store, "again", tmp_path / "out", "values")
    for number in (2, 7):
        (tmp_path / f"out/blocks/{number:06}.json.gz").unlink()
    scored(data, store, "again", tmp_path / "out", "values", resume=True)
    with Client(store, tmp_path) as client:
        figures = client.get("/v1/statistics", params={"run": "again"}).json()
        assert figures["total_tests"] == 59
        assert client.get("/v1/runs/again").json()["status"] == "finished"
    opened = open_store(store)
    opened.close()
    with pytest.raises(UsageError, match="resume it with the same --out"):
        scored(data, store, "again", tmp_path / "other", "values", resume=True)


TAGGED = 2 * MAX_GROUPS
"""Samples that have a tag of their own, one that two share, and one that all have."""


@pytest.fixture(scope="module")
def tagged_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tagged") / "data"
    folder.mkdir()
    rows = [
        record(1) | {"id": f"s{n}", "tags": ["all", f"two-{n // 2}", f"one-{n}"]}
        for n in range(TAGGED)
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "part-0.parquet")
    return folder


@pytest.mark.parametrize("rows", [TAGGED, TAGGED // 8])
def test_tags_beyond_the_cap_are_summed_together(
    tagged_data: Path, tmp_path: Path, new_store: Callable[[], str], rows: int
) -> None:
    store, last = new_store(), f"one-{TAGGED - 1}"
    scored(tagged_data, store, "tags", tmp_path / "out", "values", rows=rows)
    with Client(store, tmp_path) as client:
        groups = run_groups.tests_by(client.store, find_run(client.store, "tags").id, "tag")
        listed = {
            tag: client.get("/v1/tests", params={"run": "tags", "tag": tag}).json()["total"]
            for tag in ("all", "two-0", last)
        }
    assert len(groups) == MAX_GROUPS + 1
    assert listed == {"all": TAGGED, "two-0": 2, last: 1}
    assert (groups["all"].total, groups["two-0"].total) == (TAGGED, 2)
    assert last not in groups
    named = [tag for tag in groups if tag not in ("all", OTHER)]
    if rows == TAGGED:  # a block counts each sample once
        first = min(n for n in range(TAGGED) if f"one-{n}" not in named)
        assert groups[OTHER].total == TAGGED - first
    else:  # blocks that lie behind the cap count it once for each tag
        assert groups[OTHER].total == 2 * TAGGED - sum(groups[tag].total for tag in named)
