"""What holds for every module of `assay.features`."""

import importlib
import pkgutil

import pytest

import assay.features
from assay.core import Feature, TextFeature

MOVING = {"failures"}
"""Modules on their way out of the package; the second test says when this list is out of date."""
MODULES = [info.name for info in pkgutil.iter_modules(assay.features.__path__)]


@pytest.mark.parametrize("name", sorted(set(MODULES) - MOVING))
def test_every_module_declares_a_feature(name):
    module = importlib.import_module(f"assay.features.{name}")
    functions = [
        value.feature.function if isinstance(value, TextFeature) else value.function
        for value in vars(module).values()
        if isinstance(value, Feature | TextFeature)
    ]
    assert any(function.__module__ == module.__name__ for function in functions)


def test_only_modules_that_exist_are_exempt():
    assert set(MODULES) >= MOVING
