"""Who does what to whom, and from where to where."""

import pytest

from assay.meaning import differences, read
from assay.meaning.roles import governor, other_name, turned_way


def kinds(claim, reference):
    return [one.kind for one in differences(read(claim), read(reference))]


@pytest.mark.parametrize(
    ("claim", "reference"),
    [
        ("Karl Weiss hired Anna Brandt", "Anna Brandt hired the young editor Karl Weiss"),
        (
            "Leo Marsh wrote it, and Dana Price was the first to sing it",
            "Dana Price wrote it and Leo Marsh sang it first",
        ),
        (
            "Hartsen designed the bridge and Ida Norling built it",
            "The bridge was designed by Ida Norling and built by Hartsen",
        ),
        ("The tour goes from Oslo to Bergen", "The tour starts in Bergen and ends in Oslo"),
        (
            "The lamp turns red when it charges, and green when it is full",
            "The lamp turns green when it charges, and red when it is full",
        ),
    ],
)
def test_exchanged_roles_are_found(claim, reference):
    assert "roles" in kinds(claim, reference)
    assert "roles" not in kinds(reference, reference)


@pytest.mark.parametrize(
    ("claim", "reference"),
    [
        ("Karl Weiss was hired by Anna Brandt", "Anna Brandt hired the young editor Karl Weiss"),
        ("The tour goes from Bergen to Oslo", "The tour starts in Bergen and ends in Oslo"),
        ("Kim was introduced to Alex by Sam", "Yesterday Sam introduced Kim to Alex"),
        ("The Orion lamp needs more power than Luma", "Luma needs less power than the Orion lamp"),
        (
            "Please send the client the signed contract",
            "Please send the signed contract to the client",
        ),
    ],
)
def test_the_same_from_the_other_side_is_no_exchange(claim, reference):
    assert "roles" not in kinds(claim, reference)


def test_the_words_of_one_name_are_one_name():
    units = read("Yesterday Anna Brandt met Karl Weiss").name_units
    assert units["anna"] == units["brandt"] != units["karl"] == units["weiss"]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("It was built by Hartsen", "hartsen", "build"),
        ("Today Hartsen built it", "hartsen", "build"),
        ("She was born in Bergen", "bergen", "in born"),
        ("They met Hartsen and left", "hartsen", ""),
    ],
)
def test_a_name_belongs_to_a_word(text, name, expected):
    reading = read(text)
    assert governor(reading, reading.names[name]) == expected


def test_a_name_in_the_place_of_another_is_found():
    passage = read("Nordlicht was founded in Bonn in 1987 and moved its office to Graz in 2004")
    name, rival = other_name(read("Nordlicht was founded in Graz in 1987"), passage)
    assert (name.text, rival.text) == ("graz", "bonn")
    assert other_name(read("Nordlicht was founded in Bonn"), passage) is None
    _, rival = other_name(read("Finn trained the dog"), read("Maja trained it, and Finn fed it"))
    assert rival.text == "maja"


@pytest.mark.parametrize(
    ("claim", "reference", "is_turned"),
    [
        ("open from 8 am to 8 pm", "open from 8 pm to 8 am", True),
        ("open from 8 pm to 8 am on Mondays", "on Mondays open from 8 pm to 8 am", False),
        ("من تونس الى قابس", "من قابس الى تونس", True),
        ("from Oslo to Rome", "from Oslo to Bergen", False),
    ],
)
def test_a_way_that_leads_back_is_found(claim, reference, is_turned):
    assert bool(turned_way(read(claim), read(reference))) is is_turned


def test_arabic_subject_and_object_of_several_words_are_exchanged():
    claim = "درب سمير الأستاذ خالد على الآلة الجديدة"
    assert "roles" in kinds(claim, "درب الأستاذ خالد سمير على الآلة الجديدة")


@pytest.mark.parametrize(
    ("claim", "reference", "is_other"),
    [
        ("The nurse was thanked by the patient", "The nurse thanked the patient", True),
        ("The nurse thanked the patient", "The nurse was thanked by the patient", True),
        ("The patient was thanked by the nurse", "The nurse thanked the patient", False),
        ("The report was sent by Friday", "The report was sent on Friday", False),
        ("The tenant sold the van to the baker", "The tenant bought the van from the baker", True),
        ("The baker bought the van from the tenant", "The tenant sold the van to the baker", False),
        ("أعار خالد الكتاب لسمير", "استعار خالد الكتاب من سمير", True),
        ("أعار خالد الكتاب لسمير", "استعار سمير الكتاب من خالد", False),
    ],
)
def test_common_nouns_have_roles_too(claim, reference, is_other):
    result = kinds(claim, reference)
    assert bool({"roles", "opposite"} & set(result)) is is_other
