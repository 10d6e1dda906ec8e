"""The bill of materials names all that is locked, with its hashes."""

from tests import lock, npm_lock
from tests.advisories import locked_releases
from tests.bill_of_materials import bill

from assay.core.jsontext import dumps, loads


def made():
    npm = loads(npm_lock.LOCK.read_text(encoding="utf-8"))
    return bill(lock.LOCK.read_text(encoding="utf-8"), npm), npm


def test_every_locked_release_is_named_once():
    found, npm = made()
    expected = locked_releases(lock.PINS.read_text(encoding="utf-8"), npm)
    named = [(one["name"], one["version"]) for one in found["components"]]
    assert sorted(named) == sorted((release.name, release.version) for release in expected)


def test_every_component_has_the_hashes_of_its_files():
    lengths = {"SHA-256": 64, "SHA-512": 128}
    for one in made()[0]["components"]:
        assert one["hashes"], one["name"]
        assert all(len(own["content"]) == lengths[own["alg"]] for own in one["hashes"])


def test_scoped_names_are_written_as_addresses():
    purls = {one["name"]: one["purl"] for one in made()[0]["components"]}
    assert purls["@biomejs/biome"].startswith("pkg:npm/%40biomejs/biome@")
    assert purls["click"].startswith("pkg:pypi/click@")


def test_the_same_locks_give_the_same_bytes():
    assert dumps(made()[0]) == dumps(made()[0])
