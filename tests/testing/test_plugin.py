"""The plugin does nothing unless a test asks for it."""

import json
import os
import subprocess
import sys

import pytest

WATCH = """
import json, os, sys
events = []
def watch(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.putenv", "os.unsetenv")):
        if "PYTEST" not in str(arguments):
            events.append(event)
    elif event == "open" and isinstance(arguments[0], str) and arguments[2] & 3:
        events.append(f"write in {os.path.dirname(arguments[0])}")  # capture has names of its own
sys.addaudithook(watch)
before = dict(os.environ)
import pytest
code = pytest.main(sys.argv[2:])
changed = {n for n in {*before, *os.environ} if before.get(n) != os.environ.get(n)}
found = {"code": int(code), "events": events, "modules": sorted(sys.modules),
         "changed": sorted(changed)}
with open(sys.argv[1], "w") as file:
    json.dump(found, file)
"""
OTHERS = ("xdist", "asyncio", "hypothesispytest", "schemathesis", "anyio")
"""Plugins of the tests' own environment, which a bare project does not have."""
BARE = """
import pytest

@pytest.fixture
def sample():
    return 3

@pytest.mark.parametrize("number", [1, 2])
def test_passes(number, sample):
    assert number < sample

def test_fails():
    assert 1 == 2

@pytest.mark.skip
def test_skips():
    pass
"""


def run(folder, result, *arguments):
    """Run pytest under an audit hook: what it printed, and what it did."""
    command = [sys.executable, "-B", "-c", WATCH, str(result), "-p", "no:cacheprovider"]
    for name in OTHERS:
        command += ["-p", f"no:{name}"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    done = subprocess.run(
        [*command, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout, json.loads(result.read_text())


def lines(printed):
    """The output without the list of plugins and the time it took."""
    kept = [line for line in printed.splitlines() if not line.startswith("plugins:")]
    return [*kept[:-1], kept[-1].partition(" in ")[0]]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bare")
    (folder / "test_bare.py").write_text(BARE)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    results = tmp_path_factory.mktemp("results")
    with_it = run(folder, results / "with.json")
    without = run(folder, results / "without.json", "-p", "no:assay")
    assert sorted(path.name for path in folder.iterdir()) == ["pytest.ini", "test_bare.py"]
    return with_it, without


def test_a_bare_project_prints_the_same_with_and_without_it(both):
    (printed, found), (expected, without) = both
    assert "1 failed, 2 passed, 1 skipped" in printed
    assert lines(printed) == lines(expected)
    assert found["code"] == without["code"] == 1


def test_it_opens_nothing_and_changes_nothing(both):
    (_, found), (_, without) = both
    assert found["events"] == without["events"]
    assert found["changed"] == without["changed"]
    assert not [event for event in found["events"] if event.startswith("socket")]


def test_it_imports_pytest_and_the_standard_library_alone(both):
    (_, found), (_, without) = both
    more = {*found["modules"]} - {*without["modules"]}
    ours = {name for name in more if name.partition(".")[0] == "assay"}
    assert ours == {
        "assay",
        "assay.testing",
        "assay.testing.outcomes",
        "assay.testing.plugin",
        "assay.version",
    }
    assert {name.partition(".")[0] for name in more - ours} <= sys.stdlib_module_names


def test_a_fixture_of_the_same_name_is_left_alone(inner):
    inner.makepyfile("""
        import pytest

        @pytest.fixture
        def assay():
            return "gold"

        def test_gold(assay):
            assert assay == "gold"

        def test_fails(assay):
            assert assay == "silver"
    """)
    found = inner.runpytest()
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.no_fnmatch_line("*= assay =*")
    assert not [path for path in inner.path.iterdir() if path.suffix not in (".py", ".ini")]


def test_its_options_are_listed(inner):
    found = inner.runpytest("--help")
    found.stdout.fnmatch_lines(["*--assay-run=NAME*", "*--assay-store=URL*", "*--assay-report=*"])
    inner.runpytest("--markers").stdout.fnmatch_lines(["@pytest.mark.assay_dataset(path*"])


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({blocked!r}))
{code}
"""


def test_assertions_work_where_there_is_no_pytest(tmp_path):
    code = """
from assay.testing import QualityError, assert_quality
assert_quality(response="All is well.", metrics="text.safety")
try:
    assert_quality(response="Call 555-014-2297.", metrics="text.safety")
except QualityError as error:
    print(str(error).splitlines()[0])
"""
    script = WITHOUT.format(blocked=["pytest", "_pytest"], code=code)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("text.safety is 0.850, needs ≥\u00a00.9\n", "")


def test_the_store_is_needed_by_those_alone_who_ask_for_it(inner):
    inner.makeconftest("import sys\nsys.modules.update(dict.fromkeys(['sqlalchemy', 'alembic']))")
    inner.makepyfile(
        "def test_it(assay):\n    assay.assert_quality(response='x', metrics='text.safety')"
    )
    found = inner.runpytest_subprocess()
    found.assert_outcomes(passed=1)
    found.stdout.fnmatch_lines(["*= assay =*"])
    refused = inner.runpytest_subprocess("--assay-run=one")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: assay: *assay-eval?store?*"])
