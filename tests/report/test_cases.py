from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from assay.core import DataError, Metric, metric
from assay.report import read_cases
from assay.report.cases import TOLERANCE


@pytest.fixture
def shout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Metric:
    """A metric whose file lies in a folder of its own."""
    source = 'def shout(response):\n    """How loud."""\n    return None\n'
    (tmp_path / "shout.py").write_text(source)
    module = ModuleType("shout_module")
    module.__file__ = str(tmp_path / "shout.py")
    exec(compile(source, module.__file__, "exec"), vars(module))  # noqa: S102 -- written above
    monkeypatch.setitem(sys.modules, "shout_module", module)
    declare = metric(id="loud.shout", inputs=(), range=(0, 1), polarity="higher")
    function = vars(module)["shout"]
    return declare(function)


def _write(folder: Path, text: str) -> None:
    (folder / "shout.cases.toml").write_text(text, encoding="utf-8")


def test_without_a_file_there_are_no_cases(shout: Metric) -> None:
    assert read_cases(shout) == []


def test_all_that_a_case_may_say(shout: Metric, tmp_path: Path) -> None:
    _write(
        tmp_path,
        """
        [[case]]
        why = "all of it"
        response = "HEY"
        duration = 2.5
        metadata = { weight = 2 }
        options = { k = 5 }
        value = 0.5
        tolerance = 0.01
        passed = true
        evidence = ["HEY"]

        [[case]]
        why = "nothing to hear"
        state = "missing"
        """,
    )
    full, absent = read_cases(shout)
    assert full.fields == {"response": "HEY", "duration": 2.5, "metadata": {"weight": 2}}
    assert full.options == {"k": 5}
    assert (full.value, full.tolerance, full.passed) == (0.5, 0.01, True)
    assert full.evidence == ("HEY",)
    assert (absent.value, absent.state, absent.tolerance) == (None, "missing", TOLERANCE)
    assert absent.evidence is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[case", "not valid TOML"),
        ('[[case]]\nresponse = "x"\nvalue = 1.0', "has no 'why'"),
        ('[[case]]\nwhy = "w"\nvlaue = 1.0\nvalue = 1.0', "'vlaue' is no field"),
        ('[[case]]\nwhy = "w"\nresponse = "x"', "nothing is expected"),
        ('[[case]]\nwhy = "w"\nstate = "fine"', "'fine' is no state"),
    ],
)
def test_a_mistake_is_named(shout: Metric, tmp_path: Path, text: str, complaint: str) -> None:
    _write(tmp_path, text)
    with pytest.raises(DataError, match=complaint):
        read_cases(shout)
