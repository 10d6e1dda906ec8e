"""The figures that the product shows are those of the documentation."""

import re
from pathlib import Path

import pytest

from assay import registry
from assay.data.files import read_bundled_toml
from assay.data.measured import FILE, measured

PAGE = Path(__file__).parents[2] / "docs/evidence.md"
ROW = re.compile(r"^\|([^|]*)\| `(\w+\.\w+)` \| (\*{0,2})([\d.−-]+) \[([^\]]+)\]")


def _number(text):
    return float(text.replace("−", "-"))


def _documented():
    """Metric, set, figure and interval of every row that has a figure, and whether it is bold."""
    labelled = ""
    for line in PAGE.read_text(encoding="utf-8").partition("## Figures")[2].splitlines():
        if named := re.match(r"\| `(\w+)`: ", line):
            labelled = named[1]
        if found := ROW.match(line):
            _, metric, bold, value, ends = found.groups()
            low, high = map(_number, ends.split(", "))
            yield metric, labelled, _number(value), (low, high), bold == "**"


def test_the_figures_are_those_of_the_documentation():
    known = [
        (entry["metric"], entry["set"], entry["value"], tuple(entry["interval"]), entry["is_ahead"])
        for entry in read_bundled_toml(FILE)["finding"]
    ]
    assert known == list(_documented())


def test_every_metric_that_was_measured_exists():
    assert {entry["metric"] for entry in read_bundled_toml(FILE)["finding"]} <= {
        *registry.metrics()
    }


def test_a_metric_has_its_sets_in_order():
    sets = [found.set for found in measured("governance.groundedness")]
    assert sets == ["begin", "faithdial_audit", "summedits", "wice_citation", "fever_symmetric"]
    first = measured("governance.groundedness")[0]
    assert first.interval == (0.937, 0.957)
    assert first.rules["token_overlap"].value == pytest.approx(0.004)


def test_a_metric_that_nobody_measured_has_nothing():
    assert measured("chat.ttft") == ()
