"""Uploads: every format, every limit, and nothing left behind."""

import gzip
import io
import resource
import stat

import pytest
from tests.server.client import Client
from tests.store.new_stores import new_sqlite

from assay.server import upload_reader
from assay.server.config import RequestLimits
from assay.server.uploads import Uploads
from assay.store.audit import AuditStamp

LINES = b'{"response": "Hello."}\n{"response": "Bye."}\n'


def send(client, name, data, **given):
    headers = {"content-type": "application/octet-stream"}
    return client.post("/v1/uploads", params={"name": name}, content=data, headers=headers, **given)


def parquet(columns):
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    file = io.BytesIO()
    pyarrow.parquet.write_table(arrow.table(columns), file)
    return file.getvalue()


def files(client):
    return sorted(path.name for path in client.config.uploads.iterdir() if len(path.name) > 32)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", LINES),
        ("a.NDJSON", LINES),
        ("a.jsonl.gz", gzip.compress(LINES, mtime=0)),
        ("a.json", b'[{"response": "Hello."}, {"response": "Bye."}]'),
        ("a.csv", b"response\nHello.\nBye.\n"),
    ],
)
def test_every_format_gives_the_same_records(client, name, data):
    made = send(client, name, data).json()
    assert (made["name"], made["size"], made["rows"], made["problems"]) == (name, len(data), 2, 0)
    assert client.get(f"/v1/uploads/{made['id']}").json() == made
    assert client.get("/v1/uploads").json() == [made]
    found = list(client.app.state.projects.jobs("default").uploads.samples(made["id"]))
    assert [sample.response for sample in found] == ["Hello.", "Bye."]


def test_parquet_is_read_too(client):
    made = send(client, "a.parquet", parquet({"response": ["Hello.", "Bye."]})).json()
    assert (made["rows"], made["format"]) == (2, ".parquet")


def test_a_bad_record_stays_in_its_place(client):
    made = send(client, "a.jsonl", b'{"response": "A"}\n{\n{"response": "B"}\n').json()
    assert (made["rows"], made["problems"]) == (3, 1)
    found = list(client.app.state.projects.jobs("default").uploads.samples(made["id"]))
    assert str(found[1]).startswith("a.jsonl, line 2: invalid JSON")
    assert [found[0].id, found[2].id] == ["line-1", "line-3"]


def test_files_are_the_owners_alone_and_named_by_the_server(client):
    made = send(client, "../../etc/passwd\0/C:\\x\\evil\u202e.jsonl".replace("\0", ""), LINES)
    made = made.json()
    assert made["name"] == "evil_.jsonl"
    assert files(client) == [f"{made['id']}.data.jsonl", f"{made['id']}.meta.json"]
    assert stat.S_IMODE(client.config.uploads.stat().st_mode) == 0o700
    for path in client.config.uploads.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name


TRAVERSALS = [
    "../secret",
    "..%2fsecret",
    "%2e%2e/secret",
    "....//secret",
    "/etc/passwd",
    "%2Fetc%2Fpasswd",
    "C:\\x",
    "file:///etc/passwd",
    "\\\\host\\share",
    "owner",
    "lock",
    "A" * 32,
    "0" * 33,
    "0" * 32 + ".data.jsonl",
    "0" * 32 + "%00",
    "0" * 32 + "%0a",
]


@pytest.mark.parametrize("id", TRAVERSALS)
def test_no_id_leads_out_of_the_folder(client, id):
    for method in ("GET", "DELETE"):
        found = client.call(method, f"/v1/uploads/{id}", role="admin")
        assert found.status_code in (400, 404, 405, 422), (method, found.text)
    started = client.post("/v1/jobs", json={"upload": id})
    assert started.status_code in (404, 422)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.xls", b"PK", "unknown ending"),
        ("", LINES, "unknown ending"),
        ("a.jsonl", b"", "is empty"),
        ("a.jsonl", b"\n\n", "no record"),
        ("a.jsonl", "x".encode("utf-16"), "UTF-16"),
        ("a.json", b"[1, 2", "invalid JSON"),
        ("a.json", b"[" * 100_000, "deeper than 500"),
        ("a.json", b"3", "no record"),
        ("a.jsonl.gz", b"no gzip at all", "damaged"),
        ("a.jsonl.gz", gzip.compress(LINES, mtime=0)[:-9], "damaged"),
        ("a.csv", b"a,a\n1,2\n", "twice"),
        ("a.parquet", b"PAR1junkPAR1", "not readable as Parquet"),
    ],
)
def test_what_cannot_be_read_is_refused_and_leaves_nothing(client, name, data, said):
    found = send(client, name, data)
    assert found.status_code == 400
    assert said in found.json()["error"]
    assert str(client.config.uploads) not in found.text
    assert files(client) == []


def small(tmp_path, **limits):
    return Client(new_sqlite(tmp_path / "assay.db"), tmp_path, limits=RequestLimits(**limits))


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(tmp_path):
    with small(tmp_path, upload=1000) as client:
        line = b'{"response": "%s"}\n'
        fits = line % (b"a" * (1000 - len(line) + 2))
        assert len(fits) == 1000
        assert send(client, "a.jsonl", fits).status_code == 201
        assert send(client, "a.jsonl", fits + b"\n").status_code == 413

        async def chunks():  # without a length that tells it beforehand
            for _ in range(20):
                yield b"x" * 100

        assert send(client, "a.jsonl", chunks()).status_code == 413
        assert len(files(client)) == 2


def test_records_lines_and_columns_are_counted(tmp_path):
    with small(tmp_path, rows=3) as client:
        assert send(client, "a.jsonl", LINES[:23] * 3).status_code == 201
        assert send(client, "a.jsonl", b"\n" * 4).status_code == 413
        for name, data in {
            "a.csv": b"response\n" + b"x\n" * 4,
            "a.json": b'[{"response": "x"}, 1, 2, 3]',
            "a.jsonl.gz": gzip.compress(LINES * 2),
            "a.parquet": parquet({"response": ["x"] * 4}),
        }.items():
            found = send(client, name, data)
            assert (found.status_code, "more than 3 records" in found.text) == (400, True), name
        wide = parquet({f"c{number}": [1] for number in range(upload_reader.MAX_COLUMNS + 1)})
        assert "columns" in send(client, "wide.parquet", wide).json()["error"]


def long_list(count):
    arrow = pytest.importorskip("pyarrow")
    zeros = arrow.nulls(count, arrow.int8()).fill_null(0)
    return arrow.ListArray.from_arrays(arrow.array([0, count], arrow.int32()), zeros)


BOMBS = {
    "zeros.jsonl.gz": lambda: gzip.compress(b"\0" * (200 * 2**20)),
    "lines.jsonl.gz": lambda: gzip.compress(b"\n" * 2_000_000),
    "nested.jsonl.gz": lambda: gzip.compress(gzip.compress(b"\0" * 2**24) * 20),
    "rows.parquet": lambda: parquet({"response": __import__("pyarrow").nulls(5_000_000)}),
    "text.parquet": lambda: parquet({"response": ["x" * 1_000_000] * 300}),
    "list.parquet": lambda: parquet({"response": ["x"], "z": long_list(30_000_000)}),
    "wide.csv": lambda: b",".join(b"c%d" % n for n in range(100_000)) + b"\n" + b"," * 99_999,
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_do_not_reach_the_server(client, name):
    data = BOMBS[name]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = send(client, name, data)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert found.status_code in (201, 400), found.text  # a record that is too wide is a bad record
    if found.status_code == 201:
        assert found.json()["problems"] == found.json()["rows"]
    assert after - before < 50 * 1024  # kB
    assert all("raw" not in name and "part" not in name for name in files(client))


def test_a_reader_that_is_ended_by_the_system_is_a_plain_refusal(client, monkeypatch):
    monkeypatch.setattr("assay.server.uploads.READ_SECONDS", 0.0)
    found = send(client, "a.jsonl", LINES)
    assert (found.status_code, "memory or time" in found.text) == (400, True)
    assert files(client) == []


def form(parts, boundary="x"):
    body = b""
    for disposition, data in parts:
        head = f"--{boundary}\r\ncontent-disposition: form-data; {disposition}\r\n\r\n"
        body += head.encode() + data + b"\r\n"
    return body + f"--{boundary}--\r\n".encode()


def send_form(client, body, kind="multipart/form-data; boundary=x"):
    return client.post("/v1/uploads", content=body, headers={"content-type": kind})


def test_a_form_with_a_file_is_taken(client):
    parts = [('name="note"', b"hi"), ('name="file"; filename="a.jsonl"', LINES)]
    made = send_form(client, form(parts)).json()
    assert (made["name"], made["rows"], made["size"]) == ("a.jsonl", 2, len(LINES))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (form([]), "multipart/form-data; boundary=x"),
        (form([('name="a"', LINES)]), "multipart/form-data; boundary=x"),
        (form([('name="f"; filename="a.jsonl"', LINES)])[:-10], "multipart/form-data; boundary=x"),
        (form([('name="f"; filename="a.jsonl"', LINES)]), "multipart/form-data"),
        (form([('name="f"; filename="a.jsonl"', LINES)]), "multipart/mixed; boundary=x"),
        (form([('name="a"', b"")] * 1000), "multipart/form-data; boundary=x"),
        (form([(f'name="{"a" * 10_000}"', b"")]), "multipart/form-data; boundary=x"),
        (b"--x\r\n\xff\xff", "multipart/form-data; boundary=x"),
        (b"junk", "multipart/form-data; boundary=x"),
    ],
)
def test_a_form_without_a_whole_file_is_refused(client, body, kind):
    found = send_form(client, body, kind)
    assert found.status_code == 400, found.text
    assert files(client) == []


def test_an_upload_is_removed_unless_a_job_needs_it(client):
    made = send(client, "a.jsonl", LINES).json()
    client.app.state.projects.jobs("default").stop()  # nobody works on the queue
    job = client.post("/v1/jobs", json={"upload": made["id"], "metrics": ["text.safety"]}).json()
    gone = f"/v1/uploads/{made['id']}"
    assert client.call("DELETE", gone, role="write").status_code == 409
    client.call("DELETE", f"/v1/jobs/{job['id']}", role="write")
    assert client.call("DELETE", gone, role="write").status_code == 204
    assert client.get(gone).status_code == 404
    assert files(client) == []
    (entry,) = client.trail("upload.")
    assert (entry["action"], entry["subject"]) == ("upload.removed", made["id"])


def test_there_is_room_for_so_many_only(client, monkeypatch):
    monkeypatch.setattr("assay.server.uploads.MAX_FILES", 1)
    assert send(client, "a.jsonl", LINES).status_code == 201
    assert send(client, "a.jsonl", LINES).status_code == 413


def test_what_was_left_half_done_is_removed_at_the_start(tmp_path):
    uploads = Uploads(tmp_path / "up", RequestLimits())
    uploads.prepare()
    kept = uploads.add_records([{"response": "x"}], AuditStamp("ann", 1.0), "posted")
    for name in ("raw.csv", "part.jsonl", "data.jsonl"):
        (tmp_path / "up" / f"{'0' * 32}.{name}").touch()
    (tmp_path / "up").chmod(0o750)
    uploads.prepare()
    assert [path.name[:32] for path in (tmp_path / "up").iterdir()] == [kept.id] * 2
    assert stat.S_IMODE((tmp_path / "up").stat().st_mode) == 0o700
