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
