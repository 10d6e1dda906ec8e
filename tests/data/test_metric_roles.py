from assay import registry
from assay.data.metric_roles import metric_roles


def test_every_role_is_played_by_a_metric_of_the_declared_scale():
    roles, known = metric_roles(), registry.metrics()
    for id in roles.health.reliability:
        assert known[id].range == (0.0, roles.health.scale), id
    for id in (*roles.safety.metrics, *roles.safety.literal):
        assert known[id].range == (0.0, roles.safety.scale), id
    for id in (*roles.attacks, *roles.similarity, roles.quality_checks):
        assert id in known


def test_safety_counts_harms_and_compliance_by_their_polarity():
    roles, known = metric_roles().safety, registry.metrics()
    assert known[roles.compliance].polarity == "higher"
    for id in (*roles.harms, roles.violation, roles.leakage):
        assert known[id].polarity == "lower", id
