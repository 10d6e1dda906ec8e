"""One reader for each format: what one part accepts, no other may read in another way."""

import ast
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
JSON = {
    "core/jsontext.py": "the reader itself",
    "features/schema_validation.py": "measures whether a text is JSON to the letter",
    "testing/answer_check.py": "says whether a response is JSON to the letter",
    "linear/combined.py": "a file of ours, checked by its hash",
    "linear/models.py": "files of ours, checked by their hashes",
    "backends/encoder_files.py": "files of ours, checked by their hashes",
    "backends/minilm.py": "files of ours, checked by their hashes",
    "store/migrations/versions/0006_gating_metrics.py": "what our own writer wrote",
    "store/migrations/versions/0009_packed_scores.py": "what our own writer wrote",
    "store/packed_blocks.py": "what our own writer wrote",
    "store/packed_scores.py": "what our own writer wrote",
    "store/stored_scores.py": "what our own writer wrote",
}
"""Modules that read JSON with the standard library, and why they may."""
CSV = {"samples/raw_records.py"}
BANNED = {
    "yaml",
    "simplejson",
    "ujson",
    "orjson",
    "pickle",
    "marshal",
    "shelve",
    "xml.sax",
    "plistlib",
}
READERS = {"loads", "load", "JSONDecoder"}


def uses(module, names):
    """The files in which one of the names of a module is used."""
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_attribute = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            is_import = isinstance(node, ast.ImportFrom) and node.module == module
            if (is_attribute and node.value.id == module and node.attr in names) or (
                is_import and any(name.name in names for name in node.names)
            ):
                found.add(path.relative_to(ROOT).as_posix())
    return found


def imported():
    names = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
    return names


def test_json_is_read_by_one_reader():
    assert uses("json", READERS) == JSON.keys()


def test_csv_is_read_by_one_reader():
    assert uses("csv", {"reader", "DictReader"}) == CSV


def test_addresses_are_taken_apart_by_one_function():
    assert uses("urllib.parse", {"urlparse"}) == set()


@pytest.mark.parametrize("name", sorted(BANNED))
def test_no_other_parser_is_there(name):
    assert name not in imported()


def test_another_reader_would_be_noticed(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("import json\nvalue = json.loads('{}')\n")
    monkeypatch.setattr("tests.test_one_parser.ROOT", tmp_path)
    assert uses("json", READERS) == {"mine.py"}
