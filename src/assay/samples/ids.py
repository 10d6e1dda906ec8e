"""The ids of a file that were already used, in eight bytes each."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b

BUCKETS = 2**12
"""With ten million ids a bucket holds some 2,400, so that an insertion moves 20 kB at most. Four
times as many took half as much memory again for a million ids, lost between small blocks."""


class SeenIds:
    """A set of texts that keeps 64 bits of each.

    Two different ids may share these bits, and the second is then refused as if it were used
    before. Among n ids the odds are n²/2⁶⁵: one in 370,000 for ten million.
    """

    def __init__(self) -> None:
        self._buckets: list[array[int] | None] = [None] * BUCKETS

    def add(self, id: str) -> bool:
        """Whether the id is new; it is not from now on."""
        return self.add_mark(id_mark(id))

    def has_mark(self, mark: int) -> bool:
        """Whether the id with this mark was used."""
        bucket = self._buckets[mark % BUCKETS]
        if bucket is None:
            return False
        place = bisect_left(bucket, mark)
        return place < len(bucket) and bucket[place] == mark

    def add_mark(self, mark: int) -> bool:
        """Whether the id with this mark is new; it is not from now on."""
        bucket = self._buckets[mark % BUCKETS]
        if bucket is None:
            self._buckets[mark % BUCKETS] = array("Q", (mark,))
            return True
        if self.has_mark(mark):
            return False
        bucket.insert(bisect_left(bucket, mark), mark)
        return True


def id_mark(id: str) -> int:
    """The 64 bits that are kept of an id."""
    digest = blake2b(id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")
