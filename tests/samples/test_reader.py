import gzip
import io
import sys
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.core import DataError, MissingExtraError, Sample, SampleError, UsageError
from assay.samples import count_records, read_samples
from assay.samples import raw_records as records_module


def read(path: Path, **options: object) -> list[str]:
    """What a file gives: the response of each sample, the message of each error."""
    return [
        str(found) if isinstance(found, SampleError) else str(found.response)
        for found in read_samples(path, **options)  # type: ignore[arg-type]
    ]


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"response": "a"}\n\n  \n{"response": "b"}'),
        ("a.ndjson", '{"response": "a"}\r\n{"response": "b"}\r\n'),
        ("A.JSONL", '\ufeff{"response": "a"}\n{"response": "b"}\n'),
        ("bom.jsonl", '\ufeff\n{"response": "a"}\n{"response": "b"}\n'),
        ("a.jsonl.gz", gzip.compress(b'{"response": "a"}\n{"response": "b"}\n', mtime=0)),
        ("a.json", '[{"response": "a"}, {"response": "b"}]'),
        ("bom.json", '\ufeff[{"response": "a"}, {"response": "b"}]'),
        ("golden.json", '{"name": "g", "examples": [{"response": "a"}, {"response": "b"}]}'),
        ("a.csv", "response,model\na,m\nb,\n"),
        ("semicolons.csv", 'response;"the, model"\na;"m, n"\nb;\n'),
        ("a.tsv", "response\tmodel, kind\na\tm\nb\t\n"),
        ("bom.csv", "\ufeffResponse,model\r\n\r\na,m\r\nb,m\r\n"),
    ],
)
def test_reads_by_ending(tmp_path: Path, name: str, content: str | bytes) -> None:
    assert read(written(tmp_path / name, content)) == ["a", "b"]


def test_a_single_object_is_one_record(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.json", '{"response": "a"}')) == ["a"]


def test_reads_parquet_with_types_of_its_own(tmp_path: Path) -> None:
    table = pa.table(
        {
            "response": pa.array(["a", None], pa.large_string()).dictionary_encode(),
            "query": pa.array([b"q", b"q"], pa.binary()),
            "contexts": [[{"content": "c", "page": 2}], None],
            "translations": pa.array([[("fr", "oui")], None], pa.map_(pa.string(), pa.string())),
            "price": [Decimal("1.50"), None],
            "at": pa.array([0, None], pa.timestamp("s")),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    first, second = read_samples(tmp_path / "a.parquet")
    assert isinstance(first, Sample)
    assert isinstance(second, Sample)
    assert (first.id, first.response, first.query) == ("row-1", "a", "q")
    assert first.contexts[0].page == 2
    assert first.translations == {"fr": "oui"}
    assert first.metadata == {"price": "1.50", "at": "1970-01-01T00:00:00"}
    assert second == Sample("row-2", query="q")


@pytest.mark.parametrize("type", [pa.binary(), pa.string()])
def test_bytes_that_are_not_text_are_refused_in_parquet(tmp_path: Path, type: pa.DataType) -> None:
    column = pa.array([b"\xff", b"b"]).view(type)
    pq.write_table(pa.table({"response": column}), tmp_path / "a.parquet")
    first, second = read(tmp_path / "a.parquet")
    assert first.startswith("a.parquet, row 1: holds bytes that are not UTF-8")
    assert second == "b"


def test_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b'{"response": "a"}\nx\n'))
    monkeypatch.setattr(sys, "stdin", stdin)
    first, second = read_samples("-")
    assert isinstance(first, Sample)
    assert str(second).startswith("standard input, line 2: invalid JSON")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"response": "b"', "invalid JSON: Expecting ',' delimiter at character 17"),
        (b'{"response": "a", "response": "b"}', "invalid JSON: the key 'response' appears twice"),
        (b'{"duration": NaN}', "invalid JSON: NaN is not a JSON number"),
        (b'{"duration": 1e999}', "invalid JSON: the number 1e999 is too large"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "invalid JSON: the number 99999999999999999999… has"),
        (b"[" * 100_000, "invalid JSON: nested deeper than 500 levels"),
        (b"[" * 600 + b"]" * 600, "invalid JSON: nested deeper than 500 levels"),
        (b'{"response": "\xff"}', "not UTF-8 at byte 15 of the line"),
        (b'["a"]', "the record is a list; expected an object"),
        (b'"a"', "the record is 'a'; expected an object"),
        (b"null", "the record is null; expected an object"),
        (b'{"response": ["a"]}', "'response' is a list; expected text"),
        (b'{"id": "line-1", "response": "b"}', "id 'line-1' was used before; expected every id"),
    ],
)
def test_a_bad_line_stops_nothing(tmp_path: Path, line: bytes, message: str) -> None:
    path = written(tmp_path / "a.jsonl", b'{"response": "a"}\n' + line + b'\n{"response": "c"}\n')
    first, second, third = read(path)
    assert (first, third) == ("a", "c")
    assert second.startswith(f"a.jsonl, line 2: {message}")


def test_lone_surrogates_and_nul_are_text(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", rb'{"response": "\ud800\u0000"}')
    assert read(path) == ["\ud800\0"]


def test_records_of_a_list_go_by_number(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", '[{"response": "a"}, 3, {"response": "c"}]')
    assert read(path) == ["a", "a.json, record 2: the record is 3; expected an object", "c"]


def test_a_line_that_is_too_long_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records_module, "MAX_LINE_BYTES", 20)
    lines = ['{"response": "aaaa"}', f'{{"response": "{"b" * 100}"}}', '{"response": "c"}']
    first, second, third = read(written(tmp_path / "a.jsonl", "\n".join(lines)))
    assert (first, third) == ("aaaa", "c")
    assert second == "a.jsonl, line 2: the line is longer than 20 bytes; expected a shorter one"
    assert read(written(tmp_path / "b.jsonl", "\n".join(lines[:2])))[1].startswith(
        "b.jsonl, line 2"
    )
    *_, last = read(written(tmp_path / "a.csv", "response\na\n" + "b" * 100 + "\nc\n"))
    assert last.endswith("the rest of the file was not read")


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        (
            "id,response\n1,a,x\n2,b\n",
            ["a.csv, line 2: found 3 cells; expected 2 as in the header", "b"],
        ),
        ('id,response\n1,"a\nb"\n2,c,\n', ["a\nb", "a.csv, line 4: found 3 cells; expected 2"]),
        ('id,response\n1,"a\n', ["a.csv, line 2: broken CSV: unexpected end of data"]),
        (b"id,response\n1,\xff\n2,b\n", ["a.csv, line 2: not UTF-8; expected the file", "b"]),
        ("id,response\n1,\0\n", ["\0"]),
        ("id,response\n1,\n", ["a.csv, line 2: nothing to score: found 'id', 'response'"]),
        ("id,response\n1,a\n1,b\n", ["a", "a.csv, line 3: id '1' was used before"]),
        (",response\n0,a\n", ["a"]),
    ],
)
def test_csv(tmp_path: Path, content: str | bytes, messages: list[str]) -> None:
    found = read(written(tmp_path / "a.csv", content))
    assert len(found) == len(messages)
    for actual, expected in zip(found, messages, strict=True):
        assert actual.startswith(expected)


def test_csv_takes_long_cells(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", f"response\n{'a' * 200_000}\n")) == ["a" * 200_000]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "", "'{path}' is empty; expected at least one record"),
        ("a.jsonl", "\n \n", "'a.jsonl' is empty; expected at least one record"),
        ("a.json", "[]", "'a.json' is empty; expected at least one record"),
        ("a.csv", "response\n", "'a.csv' is empty; expected at least one record"),
        ("a.jsonl.gz", b"plain", "cannot read '{path}': Not a gzipped file (b'pl')"),
        (
            "a.json",
            "[\n  {]",
            "'{path}' is invalid JSON: Expecting property name enclosed in double",
        ),
        ("a.json", "[NaN]", "'{path}' is invalid JSON: NaN is not a JSON number"),
        ("a.json", "[" * 100_000, "'{path}' is invalid JSON: nested deeper than 500 levels"),
        ("a.json", b'["\xff"]', "'{path}' is not UTF-8 at byte 3"),
        ("a.json", "3", "'{path}' holds no record; expected a list of objects or an object"),
        ("a.json", "[]".encode("utf-16"), "'{path}' is UTF-16; expected UTF-8"),
        ("a.jsonl", '{"response": "a"}'.encode("utf-16"), "'{path}' is UTF-16; expected UTF-8"),
        ("a.csv", "1,2\n3,4\n", "the columns of 'a.csv' give nothing to score: found '1', '2'"),
        ("a.csv", "response,response\n", "'{path}' has the column 'response' twice"),
        ("a.parquet", b"PAR1 but no more", "'{path}' is not readable as Parquet: "),
        ("a.xls", "x", "'{path}' has an unknown ending; expected one of .jsonl.gz, .jsonl, "),
    ],
)
def test_an_unusable_file_is_refused(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(DataError) as caught:
        list(read_samples(path))
    assert str(caught.value).startswith(message.replace("{path}", str(path)))


def test_broken_json_is_placed_by_line_and_column(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"at line 2, column 4$"):
        read_samples(written(tmp_path / "a.json", "[\n  {]"))


def test_an_absent_file_and_a_folder_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no such file: '.*x\.jsonl'"):
        read_samples(tmp_path / "x.jsonl")
    with pytest.raises(DataError, match="embedded null byte"):
        read_samples("a\0.jsonl")
    (tmp_path / "d.jsonl").mkdir()
    with pytest.raises(DataError, match=r"d\.jsonl' is a folder without \.parquet"):
        read_samples(tmp_path / "d.jsonl")


def test_a_forbidden_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path / "a.jsonl", "{}")
    monkeypatch.setattr(Path, "open", forbid)
    with pytest.raises(DataError, match=r"cannot read '.*a\.jsonl': Permission denied"):
        read_samples(path)


def test_a_truncated_archive_gives_what_it_holds_and_an_error(tmp_path: Path) -> None:
    lines = "".join(f'{{"response": "{n * 7919}"}}\n' for n in range(2000))
    whole = gzip.compress(lines.encode(), mtime=0)
    found = read(written(tmp_path / "a.jsonl.gz", whole[: len(whole) // 2]))
    assert found[0] == "0"
    assert "the file is damaged from here on: Compressed file ended" in found[-1]


def test_damaged_parquet_gives_what_it_holds_and_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records_module, "ROWS_AT_ONCE", 1)
    path = tmp_path / "a.parquet"
    pq.write_table(
        pa.table({"response": ["a" * 1000, "b" * 1000]}),
        path,
        row_group_size=1,
        compression="none",
        use_dictionary=False,
        write_statistics=False,
    )
    content = path.read_bytes()
    page_header = content.index(b"b" * 1000) - 20
    path.write_bytes(content[:page_header] + b"\xff" * 16 + content[page_header + 16 :])
    found = read(path)
    assert found[0] == "a" * 1000
    assert found[1].startswith("a.parquet, row 2: the file is damaged")


def test_the_limit_counts_records(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", '{"response": "a"}\nx\n{"response": "c"}\n')
    assert [len(read(path, limit=limit)) for limit in (0, 2, 9)] == [0, 2, 3]
    with pytest.raises(UsageError, match="the limit is -1; expected a number of 0 or more"):
        read_samples(path, limit=-1)


def test_the_format_is_checked_at_once_and_used(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", '{"output": {"completion": "a"}}')
    assert read(path, format="inspect") == ["a"]
    with pytest.raises(UsageError, match="unknown format 'inspekt'; did you mean 'inspect'"):
        read_samples(path, format="inspekt")


def test_the_format_looks_into_the_columns_of_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"doc": [{"id": 1}], "resps": [["a"]]}), tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet", format="lm-eval") == ["a"]


def test_parquet_without_its_package_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "a.parquet", b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r'pip install "assay-eval\[parquet\]"'):
        list(read_samples(path))


@pytest.mark.parametrize(
    ("name", "content", "limit", "count"),
    [
        ("a.jsonl", "{}\n{}\n", None, 2),
        ("a.jsonl", "{}", None, 1),
        ("a.jsonl", "{}\n{}\n", 1, 1),
        ("a.csv", "response\na\n", None, None),
        ("a.parquet", "no Parquet", None, None),
        ("a.txt", "", None, None),
    ],
)
def test_counts_where_that_is_cheap(
    tmp_path: Path, name: str, content: str, limit: int | None, count: int | None
) -> None:
    assert count_records(written(tmp_path / name, content), limit) == count


def test_counts_the_rows_of_parquet_and_nothing_that_streams(tmp_path: Path) -> None:
    pq.write_table(pa.table({"response": ["a", "b"]}), tmp_path / "a.parquet")
    assert count_records(tmp_path / "a.parquet") == 2
    assert count_records("-") is None
    assert count_records(tmp_path / "absent.jsonl") is None


def test_reads_as_it_is_asked(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", '{"response": "a"}\n')
    samples = read_samples(path)
    assert next(samples) == Sample("line-1", response="a")
    assert list(samples) == []
