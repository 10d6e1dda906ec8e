"""Which cells changed while people edit prompts, look by look."""

from dataclasses import dataclass

from assay.core import UsageError
from assay.runner.grid import Grid, GridCell
from assay.runner.grid_watch import grid_changes
from assay.runner.prompt_template import PromptTemplate


class NoMoreLooksError(Exception):
    """The looks are over."""


@dataclass
class Looks:
    """What each look finds: the text of prompt A, or an error; prompt B stays."""

    texts: list

    def pause(self):
        if not self.texts:
            raise NoMoreLooksError
        self.now = self.texts.pop(0)

    def read(self):
        if isinstance(self.now, UsageError):
            raise self.now
        return grid(self.now)


def grid(text):
    cells = [
        GridCell("a", "t", PromptTemplate("a", user=text)),
        GridCell("b", "t", PromptTemplate("b", user="{query}")),
    ]
    return Grid("g", tuple(cells), "a")


def rounds(*texts):
    """The cells that each round asks, and the problems."""
    asked = {cell.name: cell.fingerprint for cell in grid("one").cells}
    looks, problems, found = Looks(list(texts)), [], []
    try:
        for changed, cells in grid_changes(looks.read, asked, looks.pause, problems.append):
            found.append([(cell.name, cell.prompt.user) for cell in cells])
            asked |= {cell.name: cell.fingerprint for cell in cells}
            assert changed == grid(looks.now)
    except NoMoreLooksError:
        return found, problems
    raise AssertionError


def test_only_the_cells_of_a_changed_prompt_are_asked_once():
    assert rounds("one", "two", "two", "two", "three", "three", "three") == (
        [[("a", "two")], [("a", "three")]],
        [],
    )


def test_nothing_changed():
    assert rounds("one", "one", "one") == ([], [])


def test_a_file_that_is_being_written_waits_until_it_rests():
    assert rounds("one", "t", "tw", "two", "two") == ([[("a", "two")]], [])


def test_going_back_is_a_change_too():
    assert rounds("two", "two", "one", "one")[0] == [[("a", "two")], [("a", "one")]]


def test_a_file_that_cannot_be_read_is_told_once_and_waited_for():
    error = UsageError("no such file: 'a.txt'")
    found, problems = rounds("one", error, error, "two", "two", error, "two")
    assert found == [[("a", "two")]]
    assert problems == ["no such file: 'a.txt'"] * 2


def test_a_file_that_broke_before_the_first_look_is_told_too():
    error = UsageError("no such file: 'a.txt'")
    assert rounds(error, error, "one") == ([], ["no such file: 'a.txt'"])
