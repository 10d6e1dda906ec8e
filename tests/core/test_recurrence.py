from assay.core.recurrence import recurrence_cache


def counted(recent: int, recurring: int):
    calls: list[str] = []

    @recurrence_cache(recent=recent, recurring=recurring)
    def made(text: str) -> list[str]:
        calls.append(text)
        return [text]

    return made, calls


def test_a_recent_value_is_not_made_again():
    made, calls = counted(2, 2)
    assert made("a") is made("a")
    assert calls == ["a"]


def test_what_is_asked_for_once_is_kept_among_the_recent_values_only():
    made, calls = counted(1, 100)
    for text in "abab":
        made(text)
    assert calls == ["a", "b", "a", "b"]


def test_what_recurs_is_kept():
    made, calls = counted(1, 100)
    for text in "abababab":
        made(text)
    assert calls == ["a", "b", "a", "b"]


def test_values_that_recur_are_bounded_too():
    made, calls = counted(1, 2)
    for text in "abcabcabc":
        made(text)
    assert calls == [*"abcabcabc"]
