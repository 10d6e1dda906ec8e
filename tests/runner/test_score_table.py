import numpy as np

from assay.runner.score_table import OVERALL, PASS_RATE, ScoreTable, pair_places
from assay.runner.sides import ScoredSample


def test_columns_have_gaps_where_a_score_is_absent():
    table = ScoreTable(
        [
            ScoredSample("a", {"m.x": (0.1, None)}, 0.4, None),
            ScoredSample("b", {}, None, True),
            ScoredSample("c", {"m.x": (0.3, True)}, None, False),
            ScoredSample("d", {}, None, None),
        ]
    )
    places = np.array([2, 1, 0, 3])
    np.testing.assert_equal(table.column("m.x", places), [0.3, np.nan, 0.1, np.nan])
    np.testing.assert_equal(table.verdict_column("m.x", places), [1, -1, -1, -1])
    np.testing.assert_equal(table.column(OVERALL, places), [np.nan, np.nan, 0.4, np.nan])
    np.testing.assert_equal(table.column(PASS_RATE, places), [0, 1, np.nan, np.nan])
    np.testing.assert_equal(table.column("m.none", places), [np.nan] * 4)


def test_pairs_stand_in_the_order_of_their_keys():
    one, other = (
        ScoreTable([ScoredSample(key, {}, None, None) for key in keys])
        for keys in ("cabba", ["b", "x", "a", "", "c", "b"])
    )
    assert one.repeated == 2
    places = pair_places(one, other)
    assert [place.tolist() for place in places] == [[1, 2, 3, 0], [2, 0, 5, 4]]
    assert [p.tolist() for p in pair_places(other, one)] == [places[1].tolist(), places[0].tolist()]


def test_a_question_is_one_row_with_the_means_over_its_answers():
    """Wherever its answers stand; 0.1 three times is exactly 0.1."""
    answers = [
        ScoredSample("q", {"m.x": (0.1, True)}, 0.2, True, "q"),
        ScoredSample("other", {"m.x": (0.5, True)}, 0.5, True),
        ScoredSample("q", {"m.x": (0.1, True)}, None, False, "q"),
        ScoredSample("p", {}, 0.4, True, "p"),
        ScoredSample("q", {"m.x": (0.1, False)}, 0.3, True, "q"),
        ScoredSample("p", {"m.x": (0.25, False)}, 0.6, True, "p"),
        ScoredSample("p", {"m.x": (0.75, False)}, 0.8, True, "p"),
    ]
    table = ScoreTable(answers)
    assert table.keys == [("q", 0), ("other", 0), ("p", 0)]
    assert (table.answers, [*table.first], table.repeated) == (7, [0, 1, 3], 0)
    every = np.array([0, 1, 2])
    np.testing.assert_equal(table.column("m.x", every), [0.1, 0.5, 0.5])
    np.testing.assert_equal(table.verdict_column("m.x", every), [-1, 1, 0])
    np.testing.assert_allclose(table.column(OVERALL, every), [0.25, 0.5, 0.6])
    np.testing.assert_allclose(table.column(PASS_RATE, every), [2 / 3, 1, 1])
    np.testing.assert_equal(table.verdict_column(PASS_RATE, every), [-1, 1, 1])
    np.testing.assert_equal(table.column("m.none", every), [np.nan] * 3)


def test_means_do_not_depend_on_the_order_of_answers():
    values = np.random.default_rng(3).normal(size=50).tolist()
    orders = [values, values[::-1], sorted(values)]
    columns = [
        ScoreTable([ScoredSample("q", {"m.x": (v, None)}, None, None, "q") for v in own]).column(
            "m.x", np.array([0])
        )
        for own in orders
    ]
    np.testing.assert_equal(columns[1:], columns[:1] * 2)
