import gzip
import zlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.wire.body import DONE, STEP, Events, Unpacker

PAYLOADS = st.lists(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1).filter(
        lambda text: text.strip() != DONE
    ),
    max_size=8,
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def fed(parts):
    events = Events()
    return [payload for part in parts for payload in events.feed(part)]


@given(PAYLOADS, ENDS, st.lists(st.integers(0, 400)), st.booleans())
def test_events_do_not_depend_on_how_the_bytes_are_cut(payloads, end, cuts, has_mark):
    text = "".join(f": hm{end}id: 1{end}data: {payload}{end}{end}" for payload in payloads)
    data = (b"\xef\xbb\xbf" if has_mark else b"") + text.encode()
    places = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    parts = [data[a:b] for a, b in pairwise(places)]
    assert fed(parts) == payloads


@pytest.mark.parametrize(
    ("data", "payloads"),
    [
        (b"data: a\ndata: b\n\n", ["a\nb"]),
        (b"data:a\n\n", ["a"]),
        (b"data:  a\n\n", [" a"]),
        (b"data\n\n", []),
        (b"data:\n\n", []),
        (b": a\n\n", []),
        (b"event: a\nid: 1\nretry: 5\n\n", []),
        (b"Data: a\n\n", []),
        (b"data: a", []),
        (b"data: a\n", []),
        (b"data: [DONE]\n", [DONE]),
        (b"data: a\n\ndata: [DONE]\n\n", ["a", DONE]),
        ("data: السماء زرقاء\n\n".encode(), ["السماء زرقاء"]),
    ],
)
def test_events(data, payloads):
    assert fed([data]) == payloads
    assert fed([data[place : place + 1] for place in range(len(data))]) == payloads


def test_a_marker_without_the_end_of_its_line():
    events = Events()
    assert list(events.feed(b"data: a\n\ndata: [DONE]")) == ["a"]
    assert events.is_done


@pytest.mark.parametrize(
    ("data", "is_foreign"),
    [
        (b"", False),
        (b"dat", False),
        (b"data: {", False),
        (b": hm\n", False),
        (b"\xef\xbb\xbfdata: a\n", False),
        (b"<html>", True),
        (b"\xff\xfed\0a\0", True),
        (b'{"a": 1}\n\n', True),
    ],
)
def test_what_does_not_begin_as_events_do(data, is_foreign):
    events = Events()
    list(events.feed(data))
    assert events.is_foreign is is_foreign


def test_events_are_utf8():
    with pytest.raises(UnicodeDecodeError):
        fed([b"data: \xff\n\n"])


@given(st.binary(max_size=400_000), st.integers(1, 5_000), st.sampled_from([gzip, zlib]))
def test_unpacked_in_small_steps(data, step, module):
    packed = module.compress(data)
    unpacker = Unpacker("gzip" if module is gzip else "deflate")
    pieces = [
        piece
        for start in range(0, len(packed), step)
        for piece in unpacker.feed(packed[start : start + step])
    ]
    assert b"".join(pieces) == data
    assert max(map(len, pieces), default=0) <= STEP
    assert unpacker.is_whole


def test_several_packages_in_a_row():
    unpacker = Unpacker("gzip")
    data = gzip.compress(b"a") + gzip.compress(b"") + gzip.compress(b"b" * 200_000)
    assert b"".join(unpacker.feed(data)) == b"a" + b"b" * 200_000


def test_a_package_that_is_cut():
    unpacker = Unpacker("gzip")
    list(unpacker.feed(gzip.compress(b"hello")[:-3]))
    assert not unpacker.is_whole


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "?"])
def test_packings_that_are_not_known(encoding):
    with pytest.raises(ValueError, match="packed as"):
        Unpacker(encoding)


def test_what_is_not_packed():
    assert list(Unpacker("").feed(b"abc")) == [b"abc"]
    with pytest.raises(ValueError, match="wrongly"):
        list(Unpacker("gzip").feed(b"abc"))
