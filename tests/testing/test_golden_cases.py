import pytest

GOLDEN = (
    '{"id": "one", "query": "Where?", "tags": ["a"]}\n'
    '{"id": "two/[2] ü", "query": "أين؟", "tags": ["b", "c"]}\n'
    '{"query": "How?", "tags": ["b"]}\n'
)


@pytest.fixture
def suite(inner):
    """Makes a test file below a folder, with the dataset beside it."""

    def make(marker, body="assert sample.query", golden=GOLDEN, argument="sample"):
        folder = inner.mkdir("quality")
        (folder / "golden.jsonl").write_text(golden, encoding="utf-8")
        (folder / "test_it.py").write_text(
            f"import pytest\n\n@pytest.mark.assay_dataset({marker})\n"
            f"def test_it({argument}):\n    {body}\n"
        )
        return inner

    return make


def ids(result):
    return [line.partition("::")[2] for line in result.outlines if "::" in line]


def test_every_sample_is_a_test_of_its_own_name(suite):
    pytester = suite('"golden.jsonl"')
    listed = pytester.runpytest("--collect-only", "-q")
    names = ["test_it[one]", "test_it[two/[2] \\xfc]", "test_it[line-3]"]
    assert ids(listed) == names
    pytester.runpytest().assert_outcomes(passed=3)
    pytester.runpytest(f"quality/test_it.py::{names[1]}").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("marker", "names"),
    [
        ('"golden.jsonl", limit=2', ["test_it[one]", "test_it[two/[2] \\xfc]"]),
        ('"golden.jsonl", tags="b"', ["test_it[two/[2] \\xfc]", "test_it[line-3]"]),
        ('"golden.jsonl", tags=["a", "c"], limit=1', ["test_it[one]"]),
        ('path="golden.jsonl", tags=["c"]', ["test_it[two/[2] \\xfc]"]),
    ],
)
def test_a_limit_and_tags_choose_among_the_samples(suite, marker, names):
    assert ids(suite(marker).runpytest("--collect-only", "-q")) == names


def test_a_bad_record_is_one_case_that_names_its_line(suite):
    golden = GOLDEN + '{"id": "broken"\n{"id": "one", "query": "again"}\n'
    found = suite('"golden.jsonl"', golden=golden).runpytest()
    found.assert_outcomes(passed=3, errors=2)
    found.stdout.fnmatch_lines(
        [
            "golden.jsonl, line 4: invalid JSON: *",
            "golden.jsonl, line 5: id 'one' was used before; expected every id once",
        ]
    )
    found.stdout.no_fnmatch_line("*Traceback*")


def test_ids_that_look_alike_once_cut_stay_apart(suite):
    golden = "".join(f'{{"id": "{"x" * 150}{n}", "query": "?"}}\n' for n in range(3))
    found = ids(suite('"golden.jsonl"', golden=golden).runpytest("--collect-only", "-q"))
    assert len(set(found)) == 3
    assert max(map(len, found)) < 120


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        ('"absent.jsonl"', "no such file: *absent.jsonl'"),
        ("", "missing a required argument: 'path'"),
        ('"golden.jsonl", tag="b"', "got an unexpected keyword argument 'tag'"),
        ('"golden.jsonl", tags="z"', "no sample of 'golden.jsonl' has one of the tags ?'z'?"),
        ('"golden.jsonl", limit=0', "the limit is 0; expected a number of 1 or more"),
    ],
)
def test_a_dataset_that_cannot_be_used_is_an_error_of_collection(suite, marker, said):
    found = suite(marker).runpytest()
    assert found.ret == pytest.ExitCode.INTERRUPTED
    found.stdout.fnmatch_lines([f"*assay_dataset of 'test_it': {said}*"])


def test_a_test_without_the_argument_is_refused(suite):
    found = suite('"golden.jsonl"', argument="", body="pass").runpytest()
    found.stdout.fnmatch_lines(["assay_dataset of 'test_it': it has no argument 'sample'*"])
