"""Extracts `data/wordnet.toml` from the database files: `python -m training.wordnet FOLDER`.

FOLDER holds the files of WordNet 3.0 (`data.noun`, `index.noun`, `noun.exc`, `cntlist.rev`, …), as
Debian's package `wordnet-base` installs them. Only the tables are written anew; the licence at the
head of the file stays.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from assay.textproc.stem import stems

FILE = Path(__file__).parent.parent / "src" / "assay" / "data" / "wordnet.toml"
PARTS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
WORD = re.compile(r"[a-z]{3,}")
ANTONYM, DERIVED = "!", "+"
Pairs = set[tuple[str, str]]


class Synset(NamedTuple):
    """Words of one meaning, and links of single words to those of other meanings."""

    words: list[str]
    links: list[tuple[str, str, str, int, int]]
    """Relation, part of speech and offset of the other synset, places of both words from 0."""


class Database:
    """The files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.counts = _counts(folder / "cntlist.rev")
        self.ranks = {part: _ranks(folder / f"index.{part}") for part in set(PARTS.values())}
        self.synsets = {part: _synsets(folder / f"data.{part}") for part in set(PARTS.values())}
        self.irregular = dict(_irregular(folder, self.counts))

    def rank(self, part: str, word: str, offset: str) -> int:
        """The number of a word's sense, 1 for the commonest."""
        return self.ranks[part].get(word, {}).get(offset, 99)

    def synonyms(self) -> Pairs:
        """Pairs of words that share a common sense."""
        pairs: Pairs = set()
        for part, synsets in self.synsets.items():
            for offset, synset in synsets.items():
                words = [w for w in synset.words if WORD.fullmatch(w)]
                ranked = [(w, self.rank(part, w, offset)) for w in words]
                common = [(w, rank) for w, rank in ranked if rank <= 2 and self.counts[w] >= 1]
                for place, (one, first) in enumerate(common):
                    for other, second in common[place + 1 :]:
                        is_known = max(self.counts[one], self.counts[other]) >= 3
                        if min(first, second) == 1 and is_known:
                            pairs.add(_pair(one, other))
        return pairs

    def linked(self, relation: str, max_rank: int, least: int) -> Pairs:
        """Pairs of words that a relation links in common senses."""
        pairs: Pairs = set()
        for part, synsets in self.synsets.items():
            for offset, synset in synsets.items():
                for kind, other_part, other_offset, own, place in synset.links:
                    if kind != relation:
                        continue
                    one = synset.words[own]
                    other = self.synsets[other_part][other_offset].words[place]
                    ranks = (
                        self.rank(part, one, offset),
                        self.rank(other_part, other, other_offset),
                    )
                    is_word = bool(WORD.fullmatch(one) and WORD.fullmatch(other)) and one != other
                    seen = self.counts[one] + self.counts[other]
                    if is_word and max(ranks) <= max_rank and seen >= least:
                        pairs.add(_pair(one, other))
        return pairs


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _counts(path: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, count = line.split()
        counts[key.partition("%")[0]] += int(count)
    return counts


def _ranks(path: Path) -> dict[str, dict[str, int]]:
    ranks = {}
    for parts in _lines(path):
        offsets = parts[6 + int(parts[3]) :]
        ranks[parts[0]] = {offset: number for number, offset in enumerate(offsets, 1)}
    return ranks


def _synsets(path: Path) -> dict[str, Synset]:
    synsets = {}
    for parts in _lines(path):
        count = int(parts[3], 16)
        words = [re.sub(r"\(.*\)", "", parts[4 + 2 * n]) for n in range(count)]
        start = 4 + 2 * count
        links = []
        for n in range(int(parts[start])):
            kind, offset, part, places = parts[start + 1 + 4 * n : start + 5 + 4 * n]
            if places != "0000":
                own, other = int(places[:2], 16) - 1, int(places[2:], 16) - 1
                links.append((kind, PARTS[part], offset, own, other))
        synsets[parts[0]] = Synset(words, links)
    return synsets


def _lines(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            yield line.partition("|")[0].split()


def _irregular(folder: Path, counts: Counter[str]) -> Iterator[tuple[str, str]]:
    for part in ("adj", "verb", "noun"):
        for line in (folder / f"{part}.exc").read_text(encoding="utf-8").splitlines():
            form, base = line.split()[:2]
            is_word = bool(WORD.fullmatch(form) and WORD.fullmatch(base)) and form != base
            if is_word and counts[base] and _has_other_stem(form, base):
                yield form, base


def _has_other_stem(one: str, other: str) -> bool:
    first, second = stems([one, other])
    return first != second


def _table(name: str, note: str, pairs: Iterable[tuple[str, str]]) -> str:
    rows: dict[str, list[str]] = defaultdict(list)
    for one, other in sorted(pairs):
        rows[one].append(other)
    lines = "".join(f"{word} {' '.join(others)}\n" for word, others in sorted(rows.items()))
    return f"# {note}\n{name} = '''\n{lines}'''\n\n"


def main() -> None:
    """Write the tables of the bundled file anew."""
    parser = argparse.ArgumentParser(prog="python -m training.wordnet", description=__doc__)
    parser.add_argument("folder", type=Path)
    database = Database(parser.parse_args().folder)
    derived = {pair for pair in database.linked(DERIVED, 2, 3) if _has_other_stem(*pair)}
    head = FILE.read_text(encoding="utf-8").partition("# A word, and words that share")[0]
    tables = [
        _table("synonyms", "A word, and words that share its sense.", database.synonyms()),
        _table("antonyms", "A word, and its opposites.", database.linked(ANTONYM, 3, 2)),
        _table("derived", "A word, and words derived from it or it from them.", derived),
        _table("irregular", "An irregular form, and its base.", database.irregular.items()),
    ]
    FILE.write_text(head + "".join(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
