"""What answers are judged by: weights of departments, and policy packs with their rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.core import NotFoundError
from assay.data import profile
from assay.data.policies import DEFAULT, QUERY_SECTIONS, Policy, policy, policy_names
from assay.runner.governance import OVERALL, preset_names
from assay.server.access import role
from assay.server.requests import make_router
from assay.server.schemas.governance import ComplianceEntry, PolicyPage, PresetEntry

router = make_router("governance")

MODES = {"RTI": "rti", "UK_GDPR": "uk_gdpr", "EU_AI_ACT": "eu_ai_act"}
"""Documented compliance mode → policy pack."""


@router.get("/v1/presets", operation_id="list_presets")
@role("read")
def get_presets() -> list[PresetEntry]:
    """The weights of departments, by name."""
    return [_preset(name) for name in preset_names()]


def _preset(name: str) -> PresetEntry:
    bundled_profile = profile(name)
    weights = bundled_profile.options[OVERALL].get("weights") or {}
    return PresetEntry(
        name=name, title=bundled_profile.title, weights=weights, policy=bundled_profile.policy.name
    )


@router.get("/v1/compliance-modes", operation_id="list_compliance_modes")
@role("read")
def get_modes() -> list[ComplianceEntry]:
    """The laws that answers can be checked against."""
    return [ComplianceEntry(**_pack(policy(name))) for name in policy_names()]


def _pack(chosen_pack: Policy) -> dict[str, Any]:
    modes = {pack: mode for mode, pack in MODES.items()}
    return {
        "mode": modes.get(chosen_pack.name, chosen_pack.name.upper()),
        "policy": chosen_pack.name,
        "title": chosen_pack.title,
        "jurisdiction": chosen_pack.jurisdiction,
        "date": chosen_pack.date,
        "source": chosen_pack.source,
        "is_default": chosen_pack.name == DEFAULT,
    }


@router.get("/v1/compliance-modes/{name}", operation_id="get_policy")
@role("read")
def get_policy(name: str) -> PolicyPage:
    """One policy pack with all its rules and their examples."""
    if name not in policy_names():
        raise NotFoundError(f"there is no policy {name!r}")
    pack = policy(name)
    return PolicyPage.model_validate(
        {
            **_pack(pack),
            "licence": pack.licence,
            "languages": list(pack.languages),
            "fingerprint": pack.fingerprint,
            "force_to_zero": pack.force_to_zero,
            "sections": [
                {
                    "section": section,
                    "looked_for_in": "query" if section in QUERY_SECTIONS else "response",
                    "rules": list(_rules(pack, section)),
                }
                for section in pack.lexicons
            ],
        }
    )


def _rules(pack: Policy, section: str) -> Iterator[dict[str, Any]]:
    """The clauses of a section, or its patterns, each with its examples."""
    for clause in pack.clauses.get(section, ()):
        yield {
            **_examples(pack, section, clause.id),
            "name": clause.id,
            "title": clause.title,
            "words": list(clause.keywords),
            "weight": None,
            "check": "",
        }
    if section not in pack.clauses:
        for pattern in pack.lexicons[section].patterns:
            yield {
                **_examples(pack, section, pattern.name),
                "name": pattern.name,
                "title": "",
                "words": [pattern.phrase or pattern.regex or ""],
                "weight": pattern.weight,
                "check": pattern.check,
            }


def _examples(pack: Policy, section: str, name: str) -> dict[str, list[str]]:
    own = [one for one in pack.examples if (one.section, one.name) == (section, name)]
    return {
        "matches": [one.text for one in own if one.is_match],
        "rejects": [one.text for one in own if not one.is_match],
    }
