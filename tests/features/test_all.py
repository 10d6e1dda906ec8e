"""What holds for every module of `assay.features`; those with an underscore are parts of others."""

import importlib
import pkgutil

import pytest

import assay.features
from assay.core import Feature, TextFeature

NAMES = [info.name for info in pkgutil.iter_modules(assay.features.__path__)]
MODULES = [name for name in NAMES if not name.startswith("_")]


@pytest.mark.parametrize("name", MODULES)
def test_every_module_declares_a_feature(name):
    module = importlib.import_module(f"assay.features.{name}")
    functions = [
        value.feature.function if isinstance(value, TextFeature) else value.function
        for value in vars(module).values()
        if isinstance(value, Feature | TextFeature)
    ]
    assert any(function.__module__ == module.__name__ for function in functions)
