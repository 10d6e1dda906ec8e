"""Row B2: it does not end, or is huge."""

import gzip
import zlib

from tests.faults.shapes import EVENTS, JSON, begin, chunk, delta, event, head, shape

from assay.wire.call_errors import Fault


@shape("B2", Fault.TOO_LARGE)
async def endless_text(connection):
    await begin(connection, EVENTS if connection.is_stream else JSON)
    piece = event(delta("la " * 100)) if connection.is_stream else b"la " * 100
    while True:
        await connection.write(chunk(piece) * 10)


@shape("B2", Fault.TOO_LARGE)
async def endless_line(connection):
    """One event, or one text, whose end never comes."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    await connection.write(chunk(b'data: {"choices": "' if connection.is_stream else b'"'))
    while True:
        await connection.write(chunk(b"a" * 10_000))


@shape("B2", Fault.TOO_LARGE)
async def endless_comments(connection):
    await begin(connection, EVENTS if connection.is_stream else JSON)
    while True:
        await connection.write(chunk(b": ping\n\n" * 1_000))


@shape("B2", Fault.TOO_LARGE)
async def ten_gigabytes(connection):
    """A length that is not even begun."""
    kind = EVENTS if connection.is_stream else JSON
    await connection.write(head(200, (*kind, ("Content-Length", 10 * 2**30))))
    await connection.gone()


@shape("B2", Fault.TOO_LARGE)
async def bomb(connection):
    """A few kilobytes that unpack to very many."""
    kind = EVENTS if connection.is_stream else JSON
    await connection.write(head(200, (*kind, ("Content-Encoding", "gzip"))))
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    while True:
        await connection.write(packer.compress(b" " * 2**20) + packer.flush(zlib.Z_SYNC_FLUSH))


@shape("B2", Fault.TOO_LARGE)
async def empty_packages(connection):
    """Packed bytes without end that unpack to nothing."""
    kind = EVENTS if connection.is_stream else JSON
    await connection.write(head(200, (*kind, ("Content-Encoding", "gzip"))))
    while True:
        await connection.write(gzip.compress(b"") * 500)


@shape("B2", Fault.TOO_LARGE)
async def million_headers(connection):
    await connection.write(b"HTTP/1.1 200 OK\r\n")
    for start in range(0, 1_000_000, 100):
        lines = (f"X-{start + place}: {place}\r\n" for place in range(100))
        await connection.write("".join(lines).encode())
    await connection.gone()


@shape("B2", Fault.TOO_LARGE)
async def endless_header(connection):
    await connection.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while True:
        await connection.write(b"x" * 10_000)


@shape("B2", Fault.TOO_LARGE)
async def tiny_chunks(connection):
    """One byte a chunk, so that each costs more than it brings."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    while True:
        await connection.write(chunk(b":") * 1_000)


@shape("B2", Fault.TOO_LARGE)
async def tiny_events(connection):
    """Events without number."""
    await begin(connection, EVENTS if connection.is_stream else JSON)
    piece = b"data: {}\n\n" if connection.is_stream else b"1"
    while True:
        await connection.write(chunk(piece) * 1_000)
