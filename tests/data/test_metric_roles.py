from assay import registry
from assay.data.gating import gates
from assay.data.metric_roles import metric_roles


def test_every_role_is_played_by_a_metric_of_the_declared_scale():
    roles, known = metric_roles(), registry.metrics()
    for id in (*roles.health.metrics, *roles.safety.metrics, *roles.safety.literal):
        assert known[id].range == (0.0, roles.scale(id)), id
    for id in (*roles.attacks, *roles.similarity, roles.quality_checks):
        assert id in known


def test_safety_counts_harms_and_compliance_by_their_polarity():
    roles, known = metric_roles().safety, registry.metrics()
    assert known[roles.compliance].polarity == "higher"
    for id in {*roles.metrics} - {roles.compliance}:
        assert known[id].polarity == "lower", id


def test_a_default_run_has_a_metric_for_every_harm_of_the_chat_family():
    roles, known = metric_roles().safety, registry.metrics()
    for part in (roles.leakage, *roles.harms):
        if any(id.startswith("chat.") for id in part):
            assert known[part[0]].family == "safety"
            assert gates(known[part[0]]), part[0]
