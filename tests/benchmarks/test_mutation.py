from benchmarks.mutation import sample

NAMES = [f"assay.engine.gates.x__{letter}__mutmut_{n}" for letter in "ba" for n in range(40)]


def test_a_module_with_few_changes_is_tried_whole():
    assert sample(NAMES, 80) == sorted(NAMES)


def test_a_sample_is_the_same_each_time_and_in_order():
    chosen = sample(NAMES, 60)
    assert chosen == sample(reversed(NAMES), 60) == sorted(set(chosen))
    assert len(chosen) == 60
    assert {*chosen} < {*NAMES}
