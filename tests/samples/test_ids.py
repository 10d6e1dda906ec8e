from hypothesis import given
from hypothesis import strategies as st

from assay.samples.ids import SeenIds


@given(st.lists(st.text() | st.sampled_from(["a", "b", "\ud800"])))
def test_says_the_same_as_a_set(ids: list[str]) -> None:
    seen, known = SeenIds(), set[str]()
    for id in ids:
        assert seen.add(id) == (id not in known)
        known.add(id)
