"""Policy packs: what a law asks of an answer, as data (`policies/*.toml`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """What a law or a rule book asks of an answer."""

    name: str
    fingerprint: str = ""

    @property
    def identity(self) -> str:
        """What a signature says of the pack."""
        return f"{self.name}@{self.fingerprint}"


RTI = Policy("rti")
