"""What models cost: money, compute and energy.

The documented table is `prices/documented.toml`. The packages genai-prices and ecologits (extra
`cost`) carry maintained figures; both are read from their own files, and nothing is fetched.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from importlib.metadata import version
from importlib.resources import files
from math import inf, isfinite
from typing import Any, NamedTuple

from assay.core.errors import ProfileError
from assay.core.extras import require
from assay.data.bundled_files import read_toml

EXTRA = "cost"
"""The extra with the maintained figures."""
WORLD = "WOR"
"""The zone whose mix of electricity stands for an unknown place."""
_DATED = re.compile(r"-(?:latest|\d{8}|\d{4}-\d{2}-\d{2})\Z")
_NOT_LATER_THAN = datetime(9999, 1, 1, tzinfo=UTC)
"""Asks for the newest price that a table knows, whatever the day."""


class Price(NamedTuple):
    """USD per million tokens."""

    input: float
    output: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What a call costs in USD."""
        return prompt_tokens / 1e6 * self.input + completion_tokens / 1e6 * self.output


class Energy(NamedTuple):
    """An estimated range in kWh, and what makes it uncertain."""

    low: float
    high: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PriceTable:
    """A dated table of figures by model."""

    name: str
    title: str
    source: str
    date: date
    kwh_per_tflop: float
    prices: Mapping[str, Price]
    flop_per_token: Mapping[str, float]


@cache
def price_table(name: str = "documented") -> PriceTable:
    """The bundled table of that name."""
    text = (files("assay") / "data" / "prices" / f"{name}.toml").read_text(encoding="utf-8")
    return read_price_table(name, text)


def read_price_table(name: str, text: str) -> PriceTable:
    """Read a table's text; a mistake is refused with the key and the reason."""
    table = read_toml(text, f"{name}.toml")
    kinds = {"title": str, "source": str, "licence": str, "date": date}
    for key, kind in kinds.items():
        if not isinstance(table.get(key), kind):
            raise ProfileError(
                f"{name}.toml: {key!r} is {table.get(key)!r}; expected {kind.__name__}"
            )
    prices = {
        model: price_of(given, f"{name}.toml: the price of {model!r}")
        for model, given in table.get("prices", {}).items()
    }
    return PriceTable(
        name,
        table["title"],
        table["source"],
        table["date"],
        _amount(table.get("kwh_per_tflop"), f"{name}.toml: 'kwh_per_tflop'"),
        prices,
        {
            model: _amount(flop, f"{name}.toml: the FLOP per token of {model!r}")
            for model, flop in table.get("flop_per_token", {}).items()
        },
    )


def price_of(given: Any, what: str) -> Price:
    """A price from `{input, output}` or a list of two, in USD per million tokens."""
    if isinstance(given, Mapping) and given.keys() == {"input", "output"}:
        given = (given["input"], given["output"])
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise ProfileError(f"{what} is {given!r}; expected input and output, in USD per million")
    return Price(*(_amount(part, what) for part in given))


def _amount(given: Any, what: str) -> float:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not isfinite(given) or given < 0:
        raise ProfileError(f"{what} is {given!r}; expected a number of 0 or more")
    return float(given)


def model_names(model: str) -> Iterator[str]:
    """The names under which a table may know a model, the exact one first.

    In lower case, without the provider before a slash, and without the date or "-latest" behind it.
    A name that only begins alike is another model: `gpt-4o-mini` is not `gpt-4o`.
    """
    name = model.strip().lower()
    bare = name.rpartition("/")[2]
    yield from dict.fromkeys((name, bare, _DATED.sub("", bare)))


def known_price(table: Mapping[str, Price], model: str) -> Price | None:
    """The model's price in a table."""
    return next((table[name] for name in model_names(model) if name in table), None)


def known_flop_per_token(model: str) -> float | None:
    """The documented FLOP per token of a model."""
    table = price_table().flop_per_token
    return next((table[name] for name in model_names(model) if name in table), None)


def maintained_usd(model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """What genai-prices says that a call costs; None for a model that it does not know."""
    package = require("genai_prices", EXTRA)
    usage = package.Usage(input_tokens=prompt_tokens, output_tokens=completion_tokens)
    for name in model_names(model):
        try:
            price = package.calc_price(usage, name, genai_request_timestamp=_NOT_LATER_THAN)
        except LookupError:
            continue
        return float(price.total_price)
    return None


def maintained_energy(
    model: str, completion_tokens: int, seconds: float | None, zone: str = WORLD
) -> Energy | None:
    """What ecologits estimates that an answer takes; None for a model that it does not know."""
    provider, name = _ecologits_model(model) or (None, "")
    if provider is None:
        return None
    impacts = _ecologits("tracers.utils").llm_impacts(
        provider=provider,
        model_name=name,
        output_token_count=completion_tokens,
        request_latency=inf if seconds is None else seconds,
        electricity_mix_zone=zone,
    )
    if impacts.energy is None:
        raise ProfileError(f"ecologits gives no energy: {impacts.errors[0].message}")
    low, high = _ends(impacts.energy.value)
    return Energy(low, high, tuple(warning.code for warning in impacts.warnings or ()))


def maintained_flop_per_token(model: str) -> float | None:
    """Two operations for each active parameter, by the parameters that ecologits estimates."""
    provider, name = _ecologits_model(model) or (None, "")
    if provider is None:
        return None
    known_model = _ecologits("model_repository").models.find_model(provider, name)
    parameters = known_model.architecture.parameters
    low, high = _ends(getattr(parameters, "active", parameters))
    return (low + high) * 1e9


def maintained_version(package: str) -> str:
    """The name and version of a maintained source."""
    return f"{package} {version(package)}"


def _ends(value: Any) -> tuple[float, float]:
    """Both ends of what ecologits gives as a number or as a range."""
    return float(getattr(value, "min", value)), float(getattr(value, "max", value))


@lru_cache(maxsize=256)
def _ecologits_model(model: str) -> tuple[str, str] | None:
    """Provider and name under which ecologits lists a model."""
    repository = _ecologits("model_repository")
    for name in model_names(model):
        for provider in repository.Providers:
            if repository.models.find_model(provider.value, name):
                return provider.value, name
    return None


@cache
def _ecologits(module: str) -> Any:
    """A module of ecologits, without what its import does to logging."""
    usual = logging.getLoggerClass()
    try:
        package = require(f"ecologits.{module}", EXTRA)
    finally:
        logging.setLoggerClass(usual)
    # Its warnings come back as values, and need not reach the terminal as well.
    logging.getLogger("ecologits").addHandler(logging.NullHandler())
    return package
