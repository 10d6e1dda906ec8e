import re

import pytest

from assay.textproc.lines import line_matches

DASH = re.compile(r"^[ \t]*-[ \t]+(.+)$", re.MULTILINE)


@pytest.mark.parametrize("text", ["", "- one", "a - b", " - one\nno\n- two\n", "\n- one", "-"])
def test_lines_are_found_as_finditer_finds_them(text):
    found = [match.span() for match in line_matches(DASH, text)]
    assert found == [match.span() for match in DASH.finditer(text)]
