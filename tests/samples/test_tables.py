"""Tables in memory go straight into `evaluate`."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import assay
from assay.core import UsageError

COLUMNS: dict[str, list[Any]] = {
    "Question": ["Capital of France?", "Capital of Spain?"],
    "Model Answer": ["Paris.", "Lisbon."],
    "Correct Answer": ["Paris", "Madrid"],
    "Passages": [["Paris is the capital of France."], None],
    "Rating": [5, None],
    "Day": [date(2026, 1, 2), None],
}


def check(table: Any) -> assay.Report:
    report = assay.evaluate(table, settings=None)
    first, second = report.samples
    assert [s.status for s in report.scores] == ["passed", "failed"]
    assert (first.id, second.id) == ("row-1", "row-2")
    assert first.contexts[0].content == "Paris is the capital of France."
    assert not second.contexts
    assert float(first.metadata["Rating"]) == 5
    assert first.metadata["Day"].startswith("2026-01-02")
    assert "Rating" not in second.metadata
    assert "Day" not in second.metadata
    assert "expected = Correct Answer" in report.columns
    return report


def test_a_data_frame_of_pandas() -> None:
    frame = pd.DataFrame(COLUMNS)
    frame["Day"] = pd.to_datetime(frame["Day"])
    check(frame)


def test_the_named_index_of_a_data_frame_is_a_column() -> None:
    frame = pd.DataFrame({"response": ["a", "b"]}, index=pd.Index(["x", "y"], name="id"))
    assert [sample.id for sample in assay.evaluate(frame, "text.safety").samples] == ["x", "y"]


def test_a_table_and_a_batch_of_pyarrow() -> None:
    table = pa.table(COLUMNS)
    check(table)
    check(table.to_batches()[0])


def test_whatever_streams_as_arrow() -> None:
    class Relation:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return pa.table(COLUMNS).__arrow_c_stream__(requested_schema)

    check(Relation())


def test_a_frame_of_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(COLUMNS, strict=False)
    check(frame)
    check(frame.lazy())


def test_what_iterates_like_a_data_set_is_read_row_by_row() -> None:
    """The protocol of Hugging Face's data sets, where the package is not installed."""

    class Dataset:
        __module__ = "datasets.arrow_dataset"

        def __iter__(self) -> Iterator[dict[str, Any]]:
            for row in zip(*COLUMNS.values(), strict=True):
                yield dict(zip(COLUMNS, row, strict=True))

    check(Dataset())


def test_the_splits_of_a_data_set_are_asked_about() -> None:
    class DatasetDict(dict[str, Any]):
        __module__ = "datasets.dataset_dict"

    with pytest.raises(UsageError, match=r"keys 'train', 'test'; .* choose one split: data\['test"):
        assay.evaluate(DatasetDict(train=[], test=[]))


def test_bytes_that_are_not_text_are_a_bad_record() -> None:
    report = assay.evaluate(pd.DataFrame({"response": [b"\xff", "b"]}), "text.safety")
    assert (report.summary.unread, len(report.samples)) == (1, 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"response": "a"}, "mapping with the keys 'response'; .* goes into a list"),
        (3, "of type 'int'; expected a file, a table"),
    ],
)
def test_what_is_no_table_is_refused(given: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        assay.evaluate(given)


def test_a_list_of_something_else_is_refused() -> None:
    with pytest.raises(assay.AssayError, match="sample 1 is 'a'; expected a Sample or a mapping"):
        assay.evaluate(["a"])
