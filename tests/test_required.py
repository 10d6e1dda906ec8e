"""What skipped tests need is said in a line, and missing nowhere in CI."""

import pytest

SUITE = """
import pytest

def test_without_a_tool():
    pytest.skip("there is no tool")

@pytest.mark.skipif(True, reason="there is no tool")
def test_without_a_tool_either():
    raise AssertionError

@pytest.mark.pictures
def test_picture():
    pytest.skip("no folder for pictures")

@pytest.mark.xfail(reason="a known fault")
def test_fault():
    raise AssertionError
"""


@pytest.fixture
def suite(pytester):
    pytester.makepyfile(SUITE)
    pytester.mkpydir("more")
    pytester.makepyfile(**{"more/test_module": "import pytest\npytest.importorskip('no_such')"})
    return lambda: pytester.runpytest("-p", "tests.required", "-p", "no:assay", "-p", "no:asyncio")


def test_reasons_are_counted_in_a_line_each(suite, monkeypatch):
    monkeypatch.delenv("ASSAY_REQUIRE_ALL", raising=False)
    result = suite()
    result.assert_outcomes(skipped=4, xfailed=1)
    lines = [line for line in result.outlines if line.startswith("Skipped")]
    assert lines == [
        "Skipped 2 tests of .: there is no tool.",
        "Skipped 1 test of more: could not import 'no_such': No module named 'no_such'.",
        "Skipped 1 test of .: no folder for pictures.",
    ]


def test_where_all_is_required_only_pictures_are_skipped(suite, monkeypatch):
    monkeypatch.setenv("ASSAY_REQUIRE_ALL", "1")
    suite().assert_outcomes(errors=1)  # of collection, and so no test was run


def test_where_all_is_required_skipped_tests_fail(suite, monkeypatch, pytester):
    monkeypatch.setenv("ASSAY_REQUIRE_ALL", "1")
    (pytester.path / "more" / "test_module.py").unlink()
    result = suite()
    result.assert_outcomes(failed=1, errors=1, skipped=1, xfailed=1)
    assert "skipped, but ASSAY_REQUIRE_ALL is set: there is no tool" in result.stdout.str()
