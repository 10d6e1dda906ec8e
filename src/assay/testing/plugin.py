"""What pytest loads: only pytest and the standard library are imported here."""

from __future__ import annotations
