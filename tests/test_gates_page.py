"""The page on gates: its examples are commands that exist, and conditions that are read."""

import re
import shlex
from pathlib import Path

import pytest

from assay.cli import app
from assay.engine import parse_gate
from assay.stats import wilson

PAGE = (Path(__file__).parent.parent / "docs/how-to/gates.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^(?:\$ |\s*- (?:run: )?)(assay .*)$", PAGE, re.MULTILINE)


def test_the_page_shows_both_build_servers():
    assert len(COMMANDS) == 5
    assert PAGE.count("```yaml") == 2


@pytest.mark.parametrize("line", COMMANDS)
def test_its_commands_can_be_called(line):
    _, name, *args = shlex.split(line, comments=True)
    command = app.get_command(None, name)
    context = command.make_context(name, args)
    for gate in context.params["fail_under"]:
        parse_gate(gate)


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_its_yaml_is_indented_by_two_and_has_no_tab(block):
    for line in block.splitlines():
        assert "\t" not in line
        assert (len(line) - len(line.lstrip())) % 2 == 0
        assert re.fullmatch(r"\s*(- )?([\w-]+:( .+)?|.*[^:].*)", line)


def test_its_conditions_are_read():
    table = PAGE.partition("| condition |")[2].partition("\n\n")[0]
    conditions = [c for c in re.findall(r"`([^`]+)`", table) if "…" not in c]
    assert len(conditions) > 8
    for condition in conditions:
        parse_gate(condition)


def test_its_intervals_are_ours():
    rows = re.findall(r"^\| ([\d,]+) \| (\d+) to (\d+) % \| ([\d.]+) to 100 % \|$", PAGE, re.M)
    assert len(rows) == 5
    for samples, *ends in rows:
        total = int(samples.replace(",", ""))
        most, all_of_them = wilson(round(0.9 * total), total), wilson(total, total)
        found = [100 * most.low, 100 * most.high, 100 * all_of_them.low]
        assert found == pytest.approx([float(end) for end in ends], abs=0.51)
