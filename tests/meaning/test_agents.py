"""Whether the expected answer acts, or something is done to it."""

import pytest

from assay.meaning import read
from assay.meaning.agents import names_other_agent, tells_right_side


@pytest.mark.parametrize(
    ("query", "response", "accepted", "is_other"),
    [
        ("Who won the match, Ines or Paul?", "Paul beat Ines.", "Ines", True),
        ("Who won the match, Ines or Paul?", "Ines beat Paul.", "Ines", False),
        ("Who won the match, Ines or Paul?", "Paul lost to Ines.", "Ines", False),
        ("Which firm bought Brightline?", "Brightline bought Harlow.", "Harlow", True),
        ("Which firm bought Brightline?", "Brightline was bought by Harlow.", "Harlow", False),
        ("Who did Paul beat?", "Paul beat Ines.", "Ines", False),
        ("Who is the father of Luke?", "Luke's father is Anakin.", "Anakin", False),
        ("من أعار الكتاب؟", "أعار خالد الكتاب لسمير.", "سمير", True),
        ("من أعار الكتاب؟", "أعار سمير الكتاب لخالد.", "سمير", False),
        ("من أرسل الرسالة؟", "أرسلت الموظفة الرسالة إلى المدير.", "المدير", True),
        ("من منح الجائزة؟", "منحت سلمى الجائزة للوزارة.", "الوزارة", True),
        ("من كتب الرسالة؟", "كتبت ليلى الرسالة.", "ليلى", False),
        ("من فاز بالجائزة؟", "الجائزة كانت لسلمى.", "سلمى", False),
        ("من فاز في المباراة، الهلال أم النصر؟", "فاز النصر على الهلال", "الهلال", True),
        ("من فاز في المباراة، الهلال أم النصر؟", "فاز الهلال على النصر", "الهلال", False),
        ("", "Paul beat Ines.", "Ines", False),
    ],
)
def test_other_agents(query, response, accepted, is_other):
    assert names_other_agent(read(query), read(response), read(accepted)) is is_other


@pytest.mark.parametrize(
    ("query", "response", "is_right"),
    [
        ("Who taught Ida?", "Ida was a pupil of Max.", True),
        ("Who taught Ida?", "Max was a pupil of Ida.", False),
        ("Who is Ida's boss?", "Ida reports to Max.", True),
        ("Who is Ida's boss?", "Max reports to Ida.", False),
        ("Who taught Ida?", "Max taught Ida.", None),
        ("Who did Ida teach?", "Max was a pupil of Ida.", None),
        ("", "Max was a pupil of Ida.", None),
    ],
)
def test_roles_that_are_told_from_the_other_side(query, response, is_right):
    assert tells_right_side(read(query), read(response), read("Max")) is is_right
