"""A grid file gives cells, each combination once."""

import pytest

from assay.core import ProfileError, UsageError
from assay.runner.grid import read_grid
from assay.targets.choose import TargetVariant

GRID = """
name = "tone"
baseline = "brief:small:cold"

[prompts]
plain = "prompts/plain.txt"
brief = "prompts/brief.txt"

[models]
small = "llama-3b"
large = "llama-70b"

[parameters.cold]
temperature = 0
"""


@pytest.fixture
def grid(tmp_path):
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "plain.txt").write_text("{query}", encoding="utf-8")
    (tmp_path / "prompts" / "brief.txt").write_text("Briefly: {query}", encoding="utf-8")

    def read(text, target="openai:http://localhost/v1"):
        path = tmp_path / "my grid.toml"
        path.write_text(text, encoding="utf-8")
        return read_grid(path, target)

    return read


def test_every_combination_is_a_cell(grid):
    found = grid(GRID)
    assert [cell.name for cell in found.cells] == [
        "plain:small:cold",
        "plain:large:cold",
        "brief:small:cold",
        "brief:large:cold",
    ]
    assert (found.name, found.baseline) == ("tone", "brief:small:cold")
    last = found.cells[-1]
    assert last.target == "openai:http://localhost/v1"
    assert last.variant == TargetVariant("llama-70b", {"temperature": 0})
    assert last.prompt.user == "Briefly: {query}"
    assert last.parts == {"prompts": "brief", "models": "large", "parameters": "cold"}
    assert [path.name for path in found.prompt_files] == ["plain.txt", "brief.txt"]


def test_lists_name_their_entries_themselves(grid):
    found = grid('prompts = ["prompts/plain.txt"]\nmodels = ["meta/llama-3:8b"]')
    assert [cell.name for cell in found.cells] == ["plain:meta-llama-3-8b"]
    assert found.cells[0].variant.model == "meta/llama-3:8b"
    assert found.name == "my-grid"


def test_the_fingerprint_changes_with_what_is_asked_alone(grid):
    one = grid(GRID)
    again = grid(GRID.replace('name = "tone"', 'name = "other"'))
    warm = grid(GRID.replace("temperature = 0", "temperature = 1"))
    prints = [[cell.fingerprint for cell in found.cells] for found in (one, again, warm)]
    assert prints[0] == prints[1]
    assert not set(prints[0]) & set(prints[2])
    assert len(set(prints[0])) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing to vary"),
        ("prompt = ['a']", "unknown key 'prompt'"),
        ("[models]", "expected a table with an entry or more"),
        ("models = [3]", "expected texts that give different names"),
        ("models = ['a/b', 'a:b']", "expected texts that give different names"),
        ("parameters.day.value = 2026-01-01", "'day' of 'parameters' is no JSON"),
        ("parameters.odd.value = nan", "'odd' of 'parameters' is no JSON"),
        ("[models]\nsmall = 3", "'small' of 'models' is 3; expected a text"),
        ("[parameters]\ncold = 0", "'cold' of 'parameters' is 0; expected a table"),
        ("[models]\n'a b' = 'x'", "the name 'a b' does not fit"),
        ("name = 'a:b'\nmodels = ['x']", "the name 'a:b' does not fit"),
        ("baseline = 'y'\nmodels = ['x']", "expected a cell: x"),
        ("models = ", "not valid TOML"),
        (f"models = {[str(n) for n in range(65)]}", "the grid has 65 cells; expected 64"),
        ("[targets]\na = 'x'\n", "names targets and so does --target"),
        ("prompts = ['nowhere.txt']", "no such file"),
    ],
)
def test_a_mistake_in_the_file_is_named(grid, text, message):
    with pytest.raises(UsageError, match=message):
        grid(text)


def test_a_grid_needs_a_target(grid, tmp_path):
    with pytest.raises(UsageError, match="there is no target"):
        grid("models = ['x']", target=None)
    with pytest.raises(UsageError, match="no such file"):
        read_grid(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(ProfileError, match="cannot be read"):
        read_grid(tmp_path / "latin.toml")
