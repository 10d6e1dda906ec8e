import pytest

from assay.core import time_limit as module
from assay.core.errors import TimeLimitError
from assay.core.time_limit import check_time, time_limit


def test_work_ends_when_its_time_is_over(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    check_time()
    with time_limit(10):
        now[0] = 10
        check_time()
        now[0] = 10.1
        with pytest.raises(TimeLimitError, match="longer than 10 seconds"):
            check_time()
    check_time()
