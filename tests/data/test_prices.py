import builtins
import logging
import subprocess
import sys
from datetime import date

import pytest

from assay.core import MissingExtraError, ProfileError
from assay.data import prices
from assay.data.prices import (
    Price,
    known_flop_per_token,
    known_price,
    maintained_energy,
    maintained_flop_per_token,
    maintained_usd,
    model_names,
    price_of,
    price_table,
    read_price_table,
)


def test_the_documented_prices_are_those_of_the_document():
    table = price_table()
    assert (
        table.prices.items()
        >= {
            "gpt-4-turbo": Price(10.0, 30.0),
            "gpt-4o": Price(5.0, 15.0),
            "gpt-3.5-turbo": Price(0.5, 1.5),
            "claude-3-opus": Price(15.0, 75.0),
            "bedrock": Price(8.0, 24.0),
        }.items()
    )
    assert table.kwh_per_tflop == 0.00004
    assert isinstance(table.date, date)
    assert table.source


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("gpt-4o", Price(5.0, 15.0)),
        (" GPT-4o ", Price(5.0, 15.0)),
        ("openai/gpt-4o-2024-08-06", Price(5.0, 15.0)),
        ("claude-3-opus-20240229", Price(15.0, 75.0)),
        ("claude-3-opus-latest", Price(15.0, 75.0)),
        ("gpt-4o-mini", None),
        ("gpt-4", Price(10.0, 30.0)),
        ("gpt-4-0613", None),
        ("", None),
    ],
)
def test_a_model_is_known_by_its_name_but_not_by_a_longer_one(model, price):
    assert known_price(price_table().prices, model) == price


def test_the_exact_name_comes_first():
    assert list(model_names("A/b-20240101")) == ["a/b-20240101", "b-20240101", "b"]


@pytest.mark.parametrize(
    ("model", "flop"), [("gpt-4o", 8e11), ("gpt-4", 1e12), ("bedrock", 5e11), ("house", None)]
)
def test_documented_flop_per_token(model, flop):
    assert known_flop_per_token(model) == flop


HEADER = 'title = "T"\nsource = "s"\nlicence = "l"\ndate = 2026-02-04\nkwh_per_tflop = 1\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title =", r"own\.toml: not valid TOML"),
        ("title = 'T'", r"own\.toml: 'source' is None; expected str"),
        (HEADER.replace("2026-02-04", "'today'"), r"'date' is 'today'; expected date"),
        (HEADER.replace("= 1", "= -1"), r"'kwh_per_tflop' is -1; expected a number of 0 or more"),
        (HEADER + "[prices]\nm = [1]", r"the price of 'm' is \[1\]; expected input and output"),
        (HEADER + "[prices]\nm = [1, -1]", r"the price of 'm' is -1; expected a number of 0"),
        (HEADER + "[prices]\nm = [1, nan]", r"the price of 'm' is nan; expected a number of 0"),
        (HEADER + "[flop_per_token]\nm = 'x'", r"the FLOP per token of 'm' is 'x'; expected"),
    ],
)
def test_a_mistaken_table_is_refused(text, message):
    with pytest.raises(ProfileError, match=message):
        read_price_table("own", text)


def test_a_price_is_a_pair_or_an_object():
    assert price_of({"input": 1, "output": 2}, "it") == price_of([1, 2], "it") == Price(1.0, 2.0)
    with pytest.raises(ProfileError, match=r"it is \{'input': 1\}; expected input and output"):
        price_of({"input": 1}, "it")


def test_maintained_prices_need_no_network():
    assert maintained_usd("gpt-4o", 1_000_000, 0) > 0
    assert maintained_usd("openai/gpt-4o", 1000, 500) == maintained_usd("gpt-4o", 1000, 500)
    assert maintained_usd("house-model", 1000, 500) is None


def test_maintained_energy_is_a_range():
    found = maintained_energy("gpt-4o", 500, 5.0)
    assert 0 < found.low <= found.high < 0.1
    assert "model-arch-not-released" in found.warnings
    assert maintained_energy("house-model", 500, 5.0) is None
    assert maintained_energy("gpt-4o", 500, None).low >= found.low


def test_an_unknown_zone_is_refused():
    with pytest.raises(ProfileError, match=r"ecologits gives no energy: .*`XYZ`"):
        maintained_energy("gpt-4o", 500, 5.0, "XYZ")


def test_maintained_flop_follow_from_parameters():
    assert 1e10 < maintained_flop_per_token("gpt-4o") < 1e13
    assert maintained_flop_per_token("house-model") is None


def test_asking_leaves_logging_as_it_was():
    before = logging.getLoggerClass()
    prices._ecologits.cache_clear()
    assert maintained_flop_per_token("gpt-4o")
    assert logging.getLoggerClass() is before


def test_an_absent_package_is_named_with_its_extra(monkeypatch):
    def absent(name, *args, **kwargs):
        if name.partition(".")[0] == "genai_prices":
            raise ModuleNotFoundError(name, name="genai_prices")
        return real(name, *args, **kwargs)

    real = builtins.__import__
    monkeypatch.setattr("assay.core.extras.import_module", absent)
    with pytest.raises(MissingExtraError, match='extra "cost"'):
        maintained_usd("gpt-4o", 1, 1)


def test_importing_the_metrics_imports_no_optional_package():
    code = (
        "import sys, assay.metrics.governance.environmental_cost.inference_cost\n"
        "print([name for name in ('genai_prices', 'ecologits', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
