"""What is installed from others is known by its hash, and is not new."""

import tomllib
from datetime import date

import pytest
from tests.lock import DATES, LOCK, PINS, Pin, _version, locked, pins, problems
from tests.release_dates import MIN_DAYS, write_dates

DIGEST = "0" * 64
GOOD = f"a==1 \\\n    --hash=sha256:{DIGEST}\n"


def texts():
    return PINS.read_text("utf-8"), LOCK.read_text("utf-8"), tomllib.loads(DATES.read_text("utf-8"))


def test_every_pin_has_hashes():
    constraints, lock, _ = texts()
    entries = locked(lock)
    assert {pin.line for pin in pins(constraints)} == set(entries)
    assert min(entries.values()) >= 1


def test_every_pin_is_old_enough():
    constraints, _, dates = texts()
    ages = {
        pin.key: (dates["checked"] - dates["published"][pin.key]).days for pin in pins(constraints)
    }
    assert {key: age for key, age in ages.items() if age < MIN_DAYS} == {}


def test_no_address_stands_in_a_lock():
    constraints, lock, dates = texts()
    assert list(problems(constraints, lock, dates)) == []
    assert "://" not in constraints + lock + DATES.read_text("utf-8")


def test_the_core_stays_small():
    """What a plain installation draws in, as the lock resolves it."""
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    core, left = set(), ["assay-eval"]
    while left:
        for line in requires(left.pop()) or ():
            requirement = Requirement(line)
            name = requirement.name.lower().replace("_", "-")
            marker = requirement.marker
            if name not in core and (marker is None or marker.evaluate({"extra": ""})):
                core.add(name)
                left.append(name)
    assert "litellm" not in core
    assert len(core) <= 40


@pytest.mark.parametrize(
    ("constraints", "lock", "dates", "expected"),
    [
        ("a==1", GOOD, {"a==1": date(2026, 1, 1)}, ""),
        ("a==1", "a==1\n", {"a==1": date(2026, 1, 1)}, "'a==1' has no hash"),
        ("a==1", GOOD, {}, "'a==1' has no date"),
        ("a==1", GOOD, {"a==1": date(2026, 1, 10)}, "'a==1' was 6 days old when it was taken"),
        ("", GOOD, {}, "'a==1' is locked, but no pin"),
        (
            "a==1",
            "--index-url x\n" + GOOD,
            {"a==1": date(2026, 1, 9)},
            "'--index-url x' is locked, but no pin",
        ),
    ],
)
def test_what_is_wrong_is_named(constraints, lock, dates, expected):
    found = list(problems(constraints, lock, {"checked": date(2026, 1, 16), "published": dates}))
    assert found[:1] == ([expected] if expected else [])


def test_only_pins_are_read():
    assert pins("# x\na-b==1.2 ; sys_platform == 'win32'\n") == [
        Pin("a-b", "1.2", "sys_platform == 'win32'")
    ]
    with pytest.raises(ValueError, match="is no pin"):
        pins("a>=1")


@pytest.mark.parametrize(
    ("file", "name", "version"),
    [
        ("a_b-1.2-py3-none-any.whl", "a-b", "1.2"),
        ("A.B-1.2.tar.gz", "a-b", "1.2"),
        ("a-b-1.2.tar.gz", "a-b", "1.2"),
        ("a_bc-1.2.tar.gz", "a-b", ""),
        ("pytest_asyncio-1.4.1.post1-py3-none-any.whl", "pytest-asyncio", "1.4.1.post1"),
    ],
)
def test_the_version_of_a_file(file, name, version):
    assert _version(file, name) == version


def test_dates_are_written_as_they_are_read(tmp_path):
    path = tmp_path / "dates.toml"
    write_dates(path, "When.", {"b==1": "2026-01-02", "a==1": "2026-01-01"})
    text = path.read_text("utf-8")
    dates = tomllib.loads(text)
    assert text.startswith("# When.\nchecked = ")
    assert list(dates["published"].items()) == [
        ("a==1", date(2026, 1, 1)),
        ("b==1", date(2026, 1, 2)),
    ]
    assert isinstance(dates["checked"], date)
