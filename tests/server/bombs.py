"""Files that unpack, decode or nest to far more than they are, each made by a few lines of code.

`BOMBS` gives for every name a function that makes the bytes, in blocks where they are many. What a
file says of itself is forged by changing numbers in Parquet's footer, which has no inner lengths.
"""

import bz2
import gzip
import io
import lzma
import struct
import zipfile

MEGA = 2**20
MANY = 5_000_000
"""More records than a server takes."""


def table(columns, **options):
    """A Parquet file."""
    import pyarrow
    import pyarrow.parquet

    file = io.BytesIO()
    made = columns if isinstance(columns, pyarrow.Table) else pyarrow.table(columns)
    pyarrow.parquet.write_table(made, file, **options)
    return file.getvalue()


def nulls(count, kind=None):
    import pyarrow

    return pyarrow.nulls(count, kind or pyarrow.null())


def long_list(items):
    """A column whose one value is a list of all the items."""
    import pyarrow

    return pyarrow.ListArray.from_arrays(pyarrow.array([0, len(items)], pyarrow.int32()), items)


def zeros(count, kind="int8"):
    import pyarrow

    return nulls(count, getattr(pyarrow, kind)()).fill_null(0)


def same_text(text, count):
    """A text many times, in a dictionary that holds it once."""
    import pyarrow

    indices = zeros(count, "int32")
    return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array([text]))


def deep_lists(depth):
    found = zeros(1)
    for _ in range(depth):
        found = long_list(found)
    return found


def deep_structs(depth):
    import pyarrow

    found = zeros(1)
    for _ in range(depth):
        found = pyarrow.StructArray.from_arrays([found], ["a"])
    return found


def many_lists():
    """Lists of 3,000 lists of 3,000 zeros each."""
    import pyarrow

    offsets = pyarrow.array(range(0, 3000 * 3001, 3000), pyarrow.int32())
    return long_list(pyarrow.ListArray.from_arrays(offsets, zeros(3000 * 3000)))


def big_map(count):
    import pyarrow

    keys = pyarrow.array(range(count)).cast(pyarrow.string())
    return pyarrow.MapArray.from_arrays([0, count], keys, zeros(count))


def groups(count, rows):
    """So many groups of so few rows."""
    import pyarrow
    import pyarrow.parquet

    part = pyarrow.table({"response": pyarrow.array(["x"] * rows, pyarrow.string())})
    file = io.BytesIO()
    with pyarrow.parquet.ParquetWriter(file, part.schema) as writer:
        for _ in range(count):
            writer.write_table(part, row_group_size=1)
    return file.getvalue()


def varint(number):
    """A number as Parquet's footer has it: zigzag, seven bits a byte."""
    rest, found = (number << 1) ^ (number >> 63), bytearray()
    while rest > 127:
        found.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*found, rest])


def forged(data, old, new):
    """The file with every `old` in its footer said to be `new`."""
    length = struct.unpack("<I", data[-8:-4])[0]
    footer = data[-8 - length : -8]
    assert varint(old) in footer
    footer = footer.replace(varint(old), varint(new))
    return data[: -8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1"


def forged_pages(data, old, new):
    """The file with every `old` before its footer said to be `new`, in as many bytes."""
    length = struct.unpack("<I", data[-8:-4])[0]
    pages = data[: -8 - length]
    assert varint(old) in pages and len(varint(old)) == len(varint(new))
    return pages.replace(varint(old), varint(new)) + data[len(pages) :]


def zipped(*, copies=1):
    """A zip of zeros; with `copies` its list names the one file again and again, as if it lay
    there many times."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("a.jsonl", b"\0" * (8 * MEGA))
        (info,) = pack.filelist
        pack.filelist.extend([info] * (copies - 1))
    return file.getvalue()


def blocks(block, count, before=b"", after=b""):
    """A long file in pieces."""
    yield before
    for _ in range(count):
        yield block
    yield after


def packed(parts):
    """The parts as gzip, in one stream."""
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1, mtime=0) as pack:
        for part in parts:
            pack.write(part)
    return file.getvalue()


def zstd(data):
    """Some bytes as Zstandard."""
    import pyarrow

    return pyarrow.compress(data, codec="zstd", asbytes=True)


def wide(count):
    """The names of so many columns."""
    return ",".join(f"c{number}" for number in range(count)).encode()


def wide_record(count):
    return b'{"response": "x", ' + b", ".join(b'"k%d": 0' % n for n in range(count)) + b"}"


ZEROS = b"\0" * MEGA
A = b"a" * MEGA
LINE = b'{"response": "Hello."}\n'

PARQUET = {
    "rows": lambda: table({"response": nulls(MANY)}),
    "fewer rows than there are": lambda: forged(table({"response": nulls(MANY)}), MANY, 1),
    "more rows than there are": lambda: forged(table({"a": zeros(77_777)}), 77_777, 2**60),
    "negative rows": lambda: forged(table({"a": zeros(77_777)}), 77_777, -1),
    "a page larger than it is": lambda: forged_pages(
        table({"a": zeros(15_001)}, use_dictionary=False), 15_001, 2**19
    ),
    "a text again and again": lambda: table({"response": ["x" * 1_000_000] * 300}),
    "a long text in a dictionary": lambda: table({"response": same_text("x" * 16 * MEGA, 100_000)}),
    "compressed texts": lambda: table(
        {"response": [f"{n}" + "x" * MEGA for n in range(250)]}, compression="brotli"
    ),
    "a list of zeros": lambda: table({"response": ["x"], "z": long_list(zeros(30_000_000))}),
    "a list of nothing": lambda: table({"response": ["x"], "z": long_list(nulls(100_000_000))}),
    "lists of lists": lambda: table({"response": many_lists()}),
    "a map": lambda: table({"response": ["x"], "z": big_map(1_000_000)}),
    "deep lists": lambda: table({"response": deep_lists(400)}),
    "deep objects": lambda: table({"response": deep_structs(400)}),
    "100,000 columns": lambda: table({f"c{number}": nulls(1) for number in range(100_000)}),
    "groups of one row": lambda: groups(3_000, 1),
    "groups of no row": lambda: groups(3_000, 0),
    "a footer longer than the file": lambda: (
        table({"a": zeros(9)})[:-8] + struct.pack("<I", 2**31 - 1) + b"PAR1"
    ),
    "a footer of endless lists": lambda: (
        b"PAR1" + b"\x15\x02\x19\xfc" + b"\xff" * 4 + b"\x07" + struct.pack("<I", 9) + b"PAR1"
    ),
    "gzip": lambda: gzip.compress(table({"a": zeros(9)})),
}
GZIP = {
    "zeros": lambda: packed(blocks(ZEROS, 200)),
    "lines": lambda: packed([b"\n" * 2_000_000]),
    "in gzip": lambda: gzip.compress(gzip.compress(b"\0" * 2**24) * 20),
    "100,000 members": lambda: gzip.compress(b"") * 100_000,
    "zeros in members": lambda: gzip.compress(ZEROS) * 100,
    "a line without an end": lambda: packed(blocks(A, 90, b'{"response": "', b'"}\n')),
    "a name without an end": lambda: b"\x1f\x8b\x08\x08\0\0\0\0\0\xff" + A,
    "deep": lambda: packed([b"[" * 10 * MEGA]),
}
PACKED = {
    "gzip.jsonl": lambda: gzip.compress(LINE * 1000),
    "gzip.csv": lambda: gzip.compress(b"response\n" * 1000),
    "zip.jsonl": lambda: zipped(),
    "zip that overlaps.json": lambda: zipped(copies=1000),
    "zstd.ndjson": lambda: zstd(ZEROS),
    "xz.csv": lambda: lzma.compress(ZEROS),
    "bzip2.json": lambda: bz2.compress(ZEROS),
    "parquet.jsonl": lambda: table({"a": zeros(9)}),
}
TEXT = {
    "deep lists.json": lambda: b"[" * 10 * MEGA,
    "deep objects.jsonl": lambda: b'{"a":' * MEGA + b"1" + b"}" * MEGA,
    "a million fields.jsonl": lambda: wide_record(1_000_000),
    "lists of nothing.json": lambda: b"[" + b"[]," * 1_200_000 + b"[]]",
    "digits.jsonl": lambda: b'{"response": ' + b"9" * 8 * MEGA + b"}",
    "a long line.jsonl": lambda: blocks(A, 70, b'{"response": "', b'"}\n'),
    "zeros.jsonl": lambda: blocks(ZEROS, 70),
    "a long line.csv": lambda: blocks(A, 70, b"response\n", b"\n"),
    "a million columns.csv": lambda: wide(1_000_000) + b"\n" + b"," * 999_999,
    "a quotation without an end.csv": lambda: b'response\n"' + b"x\n" * 2_000_000,
}
BOMBS = {
    **{f"{name}.parquet": make for name, make in PARQUET.items()},
    **{f"{name}.jsonl.gz": make for name, make in GZIP.items()},
    **PACKED,
    **TEXT,
}
