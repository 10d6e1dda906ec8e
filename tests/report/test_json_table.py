from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console

from assay.core.json_result import Breakdown, FieldScore, JsonBatch, JsonComparison
from assay.report import json_table

STYLES = re.compile(r"\x1b\[[\d;]*m")
"""The only escapes that we print ourselves: colours."""


def field(name: str, gt: Any, aio: Any, **said: Any) -> FieldScore:
    fixed = {
        "field_type": "text",
        "match_strategy": "EXACT",
        "score": 1.0,
        "similarity": 1.0,
        "bucket": "both_non_null",
        "explanation": "It is so.",
    }
    return FieldScore(field_name=name, gt_value=gt, aio_value=aio, **{**fixed, **said})


NOTHING = {"match_strategy": "", "score": None, "similarity": None}
FIELDS = (
    field("name", "John", "Jon", match_strategy="FUZZY", score=0.0, similarity=0.625),
    field("email", "a@b.de", "a@b.de"),
    field("city", "Bonn", "Bonn", match_strategy="SEMANTIC", similarity=0.991),
    field("secret", 1, 2, match_strategy="IGNORE", score=None, similarity=None),
    field("status", "on", None, bucket="aio_missing_or_null", **NOTHING),
    field("note", None, None, bucket="skipped", **NOTHING),
    field("age", None, 5, bucket="gt_null_aio_has_value", **NOTHING),
    field("more", None, None, bucket="extra_keys", **NOTHING),
)


def comparison(*fields: FieldScore, **said: Any) -> JsonComparison:
    absent = {"status"}
    fixed: dict[str, Any] = {
        "completeness": 0.75,
        "hallucination": 1 / 3,
        "accuracy": 0.5,
        "safety_score": 1.0,
        "rqs": 0.7375,
        "rqs_normalized": 0.8875,
    }
    breakdown = Breakdown(
        field_scores=fields,
        gt_keys=tuple(f.field_name for f in fields if f.bucket != "extra_keys"),
        aio_keys=tuple(f.field_name for f in fields if f.field_name not in absent),
    )
    return JsonComparison(write=lambda: breakdown, **{**fixed, **said})


def printed(show: Any, *args: Any, width: int = 120, color: bool = False, **said: Any) -> str:
    stream = io.StringIO()
    kind = "standard" if color else None
    show(*args, Console(file=stream, width=width, force_terminal=color, color_system=kind), **said)
    return stream.getvalue().replace("\u00a0", " ")


def compared(*fields: FieldScore, show_all: bool = False, width: int = 120, **said: Any) -> str:
    found = comparison(*fields, **said)
    return printed(json_table.print_comparison, found, show_all=show_all, width=width)


def test_a_field_without_a_strategy_shows_what_it_was_taken_for():
    day = field("day", "2024-02-29", "28 February 2024", field_type="date", match_strategy="TYPED")
    note = day._replace(field_name="note", field_type="text", similarity=0.77, score=0.0)
    text = compared(day._replace(score=0.0, similarity=0.0), note)
    lines = text.splitlines()
    assert next(line for line in lines if " day " in line).split()[-3:] == ["date", "0", "both"]
    assert next(line for line in lines if " note " in line).split()[-5:] == [
        *("text", "0.77", "→", "0", "both")
    ]


def test_differences_are_shown_and_the_rest_is_folded():
    text = compared(*FIELDS)
    assert re.search(r'≠ +name +"John" +"Jon" +fuzzy +0\.62 → 0 +both', text)
    assert re.search(r'- +status +"on" +– +missing', text)
    assert re.search(r"\+ +age +null +5 +unexpected", text)
    assert re.search(r"\+ +more +– +null +extra", text)
    assert "email" not in text
    assert "Not shown: 2 match, 1 ignored, 1 null in both; --all shows them." in text


def test_all_shows_every_field():
    text = compared(*FIELDS, show_all=True)
    assert re.search(r'= +email +"a@b.de" +"a@b.de" +exact +1 +both', text)
    assert re.search(r'= +city +"Bonn" +"Bonn" +semantic +0\.99 → 1 +both', text)
    assert re.search(r"~ +secret +1 +2 +ignore +both", text)
    assert re.search(r"note +null +null +skipped", text)
    assert "Not shown" not in text


def test_scores_and_notes_follow():
    text = compared(*FIELDS, notes=("The output was repaired.",), error="not JSON")
    figures = "completeness 0.750   hallucination 0.333   accuracy 0.500   safety 1.000   RQS 0.738"
    assert " ".join(figures.split()) in " ".join(text.split())
    assert "Not compared: not JSON\nNote: The output was repaired." in text
    assert "consistency" not in text
    assert "accuracy –" in compared(accuracy=None)


def test_a_narrow_terminal_gets_lines_instead_of_a_table():
    text = compared(*FIELDS, width=40)
    assert '≠ name  both fuzzy 0.62 → 0\n  expected "John"\n  actual   "Jon"\n' in text
    assert max(map(len, text.splitlines())) <= 40


def test_many_differences_are_cut_unless_all_are_asked_for():
    fields = [field(f"f{number}", "John", "Jon", score=0.0) for number in range(250)]
    assert "Not shown: 50 more differ" in compared(*fields)
    assert "f249" in compared(*fields, show_all=True)


def test_a_very_long_table_comes_in_pieces():
    fields = [field(f"f{number}", 1, 1) for number in range(1001)]
    text = compared(*fields, show_all=True)
    assert text.count("strategy") == 2
    assert "f1000" in text


def test_texts_that_part_late_are_shown_where_they_part():
    long = field("a", "x" * 5000 + "left" + "y" * 500, "x" * 5000 + "right", score=0.0)
    text = compared(long)
    assert "left" in text
    assert "right" in text
    assert "…" in text
    assert len(text) < 1000


@pytest.mark.parametrize("width", [40, 120])
@pytest.mark.parametrize("color", [False, True])
def test_nothing_from_data_acts_on_the_terminal(hostile: str, color: bool, width: int) -> None:
    found = comparison(
        field(hostile, hostile, {hostile: [hostile]}, score=0.0), notes=(hostile,), error=hostile
    )
    batch = JsonBatch((found,), 0, 0.5, 0.5, 0.0, 0.0, (0,), None, 0.5, 1.0, "FAIL", ("low",))
    text = printed(json_table.print_comparison, found, width=width, color=color, show_all=True)
    text += printed(json_table.print_batch, batch, [hostile], show_all=True, color=color)
    text = STYLES.sub("", text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    text.encode()


def test_markup_and_right_to_left_text_are_shown_as_they_are():
    text = compared(field("[bold]سعر", "مرحبا بالعالم", "[red]x[/] [/]", score=0.0))
    assert "[bold]سعر" in text
    assert '"مرحبا بالعالم"' in text
    assert '"[red]x[/] [/]"' in text


def test_colours_tell_what_differs():
    found = comparison(*FIELDS)
    text = printed(json_table.print_comparison, found, color=True, show_all=True)
    assert "\x1b[31m≠" in text
    assert "\x1b[32m=" in text


def test_no_color_is_respected(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=True)
    json_table.print_comparison(comparison(*FIELDS), console, show_all=True)
    assert not re.search(r"\x1b\[(?:\d+;)*3[0-7]m", stream.getvalue())


def test_several_outputs_are_ranked():
    good, bad = comparison(FIELDS[1]), comparison(FIELDS[0], rqs=0.1, error="broken")
    batch = JsonBatch(
        (bad, good), 1, 0.7375, 0.42, 0.1, 0.32, (1, 0), 0.4, 0.5, 0.5, "FAIL", ("low rqs",)
    )
    text = printed(json_table.print_batch, batch, ["bad.json", "good.json"], show_all=False)
    lines = text.splitlines()
    places = [next(i for i, line in enumerate(lines) if name in line) for name in ("good", "bad.")]
    assert places == sorted(places)
    assert re.search(r"bad.json +0\.750 +0\.333 +0\.500 +0\.100 +1 +broken", text)
    assert "mean RQS 0.420   standard deviation 0.320   consistency 0.400" in text
    assert "FAIL: low rqs" in text


def test_a_note_that_all_have_is_said_once():
    found = [
        ("a", comparison(notes=("no model", "repaired"))),
        ("b", comparison(notes=("no model",))),
    ]
    text = printed(json_table.print_list, found, show_all=False)
    assert text.count("no model") == 1
    assert "Note: no model" in text
    assert re.search(r"a .* repaired", text)


def test_a_long_list_is_cut_unless_all_are_asked_for():
    found = [(f"{number}.json", comparison()) for number in range(201)]
    text = printed(json_table.print_list, found, show_all=False)
    assert "… and 1 more; --all shows them." in text
    assert "200.json" in printed(json_table.print_list, found, show_all=True)


def test_means_are_named():
    assert printed(json_table.print_means, {"rqs": 0.5, "accuracy": None}).split() == (
        ["mean", "RQS", "0.500", "mean", "accuracy", "–"]
    )


def test_what_counts_as_a_difference():
    found = json_table.differences(comparison(*FIELDS))
    assert [f.field_name for f in found] == ["name", "status", "age", "more"]
