import csv
import signal
import sqlite3
from collections import Counter
from xml.etree import ElementTree

import pytest

from assay.store import open_store
from assay.store.run_list import find_run, list_runs, read_run

SUITE = """
    import pytest
    from assay.testing import assert_quality

    LEAK = "Write to ann@mail.example when the service desk is closed."

    def test_good(assay):
        answer = {"query": "Where is it?", "response": "It is in the old town hall."}
        assay.assert_quality(**answer, thresholds={"text.safety": 0.9})
        assay.record(**answer, metrics="text.conciseness")

    def test_leak(assay):
        assay.assert_quality(query="Who?", response=LEAK, metrics="text.safety")

    def test_arabic(assay):
        assay.assert_quality(response="المكتبة مفتوحة كل يوم.", metrics="text.safety")

    def test_skipped(assay):
        pytest.skip("not today")

    @pytest.fixture
    def bot():
        raise ConnectionError("the bot is down")

    def test_down(bot, assay):
        assay.assert_quality(response=bot.answer(), metrics="text.safety")

    def test_several(assay):
        for response in ("This one is fine.", LEAK, "This one is not reached."):
            assay.assert_quality(response=response, metrics="text.safety")

    @pytest.mark.xfail(strict=True)
    def test_expected(assay):
        assay.assert_quality(response=LEAK, metrics="text.safety")

    def test_imported():
        assert_quality(response="All is well.", metrics="text.safety")

    def test_of_another_kind():
        assert 1 + 1 == 2
"""


@pytest.fixture
def suite(inner):
    inner.makepyfile(test_suite=SUITE)
    return inner


def stored(folder, sql="select * from test_results order by test_id"):
    with sqlite3.connect(folder / "store.db") as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql)]


def properties(path):
    """Test → its properties in a JUnit file."""
    cases = ElementTree.parse(path).iter("testcase")  # noqa: S314 -- our own file
    return {
        case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")}
        for case in cases
    }


EXPECTED = {
    "test_suite.py::test_arabic": ("passed", "ar", 1.0),
    "test_suite.py::test_down": ("failed", "unknown", None),
    "test_suite.py::test_expected": ("skipped", "en", 0.85),
    "test_suite.py::test_good": ("passed", "en", 1.0),
    "test_suite.py::test_imported": ("passed", "en", 1.0),
    "test_suite.py::test_leak": ("failed", "en", 0.85),
    "test_suite.py::test_several#1": ("passed", "en", 1.0),
    "test_suite.py::test_several#2": ("failed", "en", 0.85),
    "test_suite.py::test_skipped": ("skipped", "unknown", None),
}


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["here", "xdist"])
def test_results_go_into_the_store(suite, workers):
    options = ("--assay-run=one", "--assay-store=store.db", "--junitxml=junit.xml")
    found = suite.runpytest(*options, *workers)
    found.assert_outcomes(passed=4, failed=2, skipped=1, xfailed=1, errors=1)
    assert found.ret == pytest.ExitCode.TESTS_FAILED
    rows = {row["test_name"]: row for row in stored(suite.path)}
    short = {n: (row["status"], row["language"], row["score"]) for n, row in rows.items()}
    assert short == EXPECTED
    assert {row["test_type"] for row in rows.values()} == {"pytest"}
    leak = rows["test_suite.py::test_leak"]
    assert leak["duration"] > 0
    assert "email (1)." in leak["error_message"]
    assert "⟦ann@mail.example⟧" in leak["error_message"]
    assert "def test_leak(assay):" in leak["stack_trace"]
    assert "the bot is down" in rows["test_suite.py::test_down"]["error_message"]
    assert rows["test_suite.py::test_skipped"]["error_message"] == "Skipped: not today"
    junit = properties(suite.path / "junit.xml")
    assert junit["test_leak"] == {"text.safety": "0.85"}
    assert junit["test_good"].keys() == {"text.safety", "text.conciseness"}
    assert junit["test_of_another_kind"] == {}


def test_a_stored_session_reads_like_any_other_run(suite):
    suite.runpytest("--assay-run=one", "--assay-store=store.db")
    store = open_store(str(suite.path / "store.db"))
    run = find_run(store, "one")
    assert (run.status, run.source, run.tests, run.total) == ("finished", "pytest", 9, 9)
    safety = run.summary["metrics"]["text.safety"]
    assert (safety["samples"], safety["judged"], safety["passed"]) == (7, 7, 4)
    assert run.summary["metrics"]["text.conciseness"]["judged"] == 0
    assert (run.summary["passed"], run.summary["judged"]) == (4, 9)  # skipped tests are no passes
    kept = {sample.id: scores for sample, scores in read_run(store, run)}
    good = kept["test_suite.py::test_good"]
    assert {id: r.threshold for id, r in good.results.items()} == {
        "text.conciseness": None,
        "text.safety": 0.9,
    }
    (sums,) = stored(
        suite.path, "select sum(total) t, sum(skipped) s, sum(timed) d from test_rollups"
    )
    assert tuple(sums.values()) == (9, 2, 8)
    evidence = kept["test_suite.py::test_leak"]["text.safety"].evidence
    assert [(span.start, span.end, span.label) for span in evidence] == [(9, 25, "email")]
    store.close()


def test_the_terminal_shows_what_it_comes_to(suite):
    found = suite.runpytest("--assay-run=one", "--assay-store=store.db", "--assay-report=all.md")
    found.stdout.fnmatch_lines(
        [
            "*= assay =*",
            "4 of 9 good; 3 to look at; 2 skipped.",
            "Pass rate 44.4?% * over 9?samples*",
            "*text.safety*4/7*0.9*",
            "For information: text.conciseness *",
            "To look at",
            "test_suite.py::test_expected  quality 0.850",
            "*text.safety 0.850, needs*email (1). “ann@mail.example”*",
            "Stored: run one in sqlite:///store.db",
            "Written: all.md",
        ]
    )


def test_without_an_option_results_are_shown_and_thrown_away(suite):
    before = sorted(path.name for path in suite.path.iterdir())
    found = suite.runpytest()
    found.stdout.fnmatch_lines(["*= assay =*"])
    found.stdout.no_fnmatch_line("Stored:*")
    after = {path.name for path in suite.path.iterdir()} - {"__pycache__"}
    assert sorted(after) == before


def test_reports_hold_every_test_with_every_metric(suite):
    suite.runpytest("--assay-report=all.csv", "--assay-report=all.jsonl", "--assay-report=all.xml")
    with (suite.path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert rows.keys() == EXPECTED.keys()
    assert rows["test_suite.py::test_leak"]["text.conciseness.state"] == "missing"
    assert len((suite.path / "all.jsonl").read_text(encoding="utf-8").splitlines()) >= 9
    assert (suite.path / "all.xml").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--assay-report=all.docx"], "'all.docx' ends with '.docx'; expected one of"),
        (["--assay-report=no/all.md"], "the folder 'no' does not exist"),
        (["--assay-report=-"], "pytest writes there itself"),
        (["--assay-store=mysql://host/name"], "unknown kind"),
        (["--assay-run=one", "--assay-store=store.db"], "run 'one' exists already"),
    ],
)
def test_a_place_that_cannot_be_used_is_refused_before_any_test_runs(inner, options, said):
    inner.makepyfile("def test_it(assay):\n    raise SystemExit('it ran')")
    (inner.path / "other.py").write_text(
        "def test_it(assay):\n    assay.assert_quality(response='x', metrics='text.safety')"
    )
    inner.runpytest("--assay-run=one", "--assay-store=store.db", "other.py")
    found = inner.runpytest(*options)
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    assert said in "\n".join([*found.outlines, *found.errlines])
    assert not list(inner.path.glob("*.part"))


def test_a_setting_keeps_every_session_under_a_name_of_its_own(inner):
    inner.makeini("[pytest]\nassay_run = nightly\nassay_store = store.db")
    inner.makepyfile("def test_it(assay):\n    assay.record(response='x', metrics='text.safety')")
    for _ in range(2):
        assert inner.runpytest().ret == 0
    store = open_store(str(inner.path / "store.db"))
    names = [run.name for run in list_runs(store)]
    store.close()
    assert len(set(names)) == 2
    assert all(name.startswith("nightly-") for name in names)


def test_a_session_without_quality_tests_stores_no_run(inner):
    inner.makepyfile("def test_it():\n    pass")
    found = inner.runpytest("--assay-run=one", "--assay-store=store.db")
    found.stdout.fnmatch_lines(["No test asked for scores; nothing is kept."])
    assert found.ret == 0
    assert stored(inner.path, "select * from runs") == []


def test_results_that_cannot_be_kept_in_the_end_do_not_pass(inner):
    inner.makepyfile("""
        import pathlib

        def test_it(assay):
            assay.record(response="x", metrics="text.safety")
            pathlib.Path("reports").rmdir()
    """)
    inner.mkdir("reports")
    found = inner.runpytest("--assay-report=reports/all.md")
    found.stdout.fnmatch_lines(["Not kept: *the folder 'reports' does not exist"])
    assert found.ret == pytest.ExitCode.INTERNAL_ERROR


def test_different_thresholds_and_options_of_a_metric_make_no_single_one(inner):
    inner.makepyfile("""
        from assay.data import Profile

        LISTED = Profile(options={"text.safety": {"blocklist": ["well"]}})

        def test_one(assay):
            assay.assert_quality(response="All is well.", thresholds={"text.safety": 0.5})

        def test_two(assay):
            assay.assert_quality(
                response="All is well.", thresholds={"text.safety": 0.6}, profile=LISTED
            )
    """)
    inner.runpytest("--assay-run=one", "--assay-store=store.db").assert_outcomes(passed=2)
    (found,) = stored(inner.path, "select * from run_metrics")
    assert found["threshold"] is None
    assert found["signature"].startswith("text.safety|mixed:")
    values = stored(inner.path, "select metric_value, threshold from scoring_details")
    assert [tuple(row.values()) for row in values] == [(1.0, 0.5), (0.85, 0.6)]


def test_coroutines_are_tests_too(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:schemathesis")
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function")
    pytester.makepyfile("""
        import asyncio
        import pytest
        from assay.testing import QualityError, aassert_quality

        async def test_plain_and_awaited(assay):
            loop = asyncio.get_running_loop()
            assay.assert_quality(response="All is well.", metrics="text.safety")
            await assay.aassert_quality(response="All is well.", metrics="text.safety")
            await aassert_quality(response="Still well.", metrics="text.safety")
            assert asyncio.get_running_loop() is loop

        async def test_fails(assay):
            await assay.aassert_quality(response="Call 555-014-2297.", metrics="text.safety")
    """)
    found = pytester.runpytest_subprocess("--assay-run=one", "--assay-store=store.db")
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["E * in response: Call ⟦555-014-2297⟧. (phone)"])
    found.stdout.no_fnmatch_line("*to_thread*")
    names = [row["test_name"] for row in stored(pytester.path)]
    assert [name.partition("::")[2] for name in names] == [
        "test_fails",
        "test_plain_and_awaited#1",
        "test_plain_and_awaited#2",
    ]


DYING = """
    import os
    import signal

    import pytest

    CASES = 400
    DYING = {50: "setup", 120: "call", 190: "call", 260: "teardown", 330: "call"}

    def die(case, phase):
        if DYING.get(case) == phase:
            os.kill(os.getpid(), signal.SIGKILL)

    @pytest.fixture
    def doomed(request):
        case = request.getfixturevalue("case")
        die(case, "setup")
        yield
        die(case, "teardown")

    @pytest.mark.parametrize("case", range(CASES))
    def test_it(case, doomed, assay):
        assay.assert_quality(response=f"Answer {case} is fine.", metrics="text.safety")
        die(case, "call")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_what_dies_with_its_worker_is_reported_once(inner):
    """Eight workers, of which five die; 400 cases stand for many, to be done in some seconds."""
    inner.makepyfile(test_dying=DYING)
    found = inner.runpytest_subprocess("-n8", "--assay-run=one", "--assay-store=store.db")
    assert found.ret == pytest.ExitCode.TESTS_FAILED
    names = Counter(row["test_name"] for row in stored(inner.path))
    assert names == {f"test_dying.py::test_it[{case}]": 1 for case in range(400)}
    failed = {row["test_name"]: row for row in stored(inner.path) if row["status"] == "failed"}
    assert failed.keys() == {f"test_dying.py::test_it[{n}]" for n in (50, 120, 190, 260, 330)}
    assert all("crashed while running" in row["error_message"] for row in failed.values())
    found.stdout.fnmatch_lines(["5?tests lost with a worker that died; counted as failed."])


def test_a_plain_suite_that_crashes_hears_nothing_from_us(inner):
    inner.makepyfile("""
        import os, signal

        def test_dies():
            os.kill(os.getpid(), signal.SIGKILL)
    """)
    found = inner.runpytest_subprocess("-n1", "--max-worker-restart=0")
    found.stdout.fnmatch_lines(["*crashed while running*"])
    found.stdout.no_fnmatch_line("*= assay =*")
