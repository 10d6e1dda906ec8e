from assay.core.lazy import lazy


class Counted:
    calls = 0

    @lazy
    def value(self) -> int:
        """A value."""
        self.calls += 1
        return 7


def test_value_is_computed_once_and_when_first_read():
    one = Counted()
    assert one.calls == 0
    assert (one.value, one.value, one.calls) == (7, 7, 1)
    assert Counted.value.__doc__ == "A value."
