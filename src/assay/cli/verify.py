"""`assay verify`: check worked values against our rules."""

from __future__ import annotations

import click

from assay.cli.options import json_option
from assay.core.jsontext import dumps


@click.command("verify")
@click.argument("vectors")
@json_option
def command(vectors: str, as_json: bool) -> int:
    """Run the test vectors in VECTORS: one line per failing vector, then 'N passed, M failed'.

    The file is a JSON list of {metric, inputs, params, expected, tolerance, why}. Inputs are sample
    fields or variables of the rule, params the metric's options; expected null means no value.
    """
    from assay.runner import read_vectors, verify

    outcomes = list(verify(read_vectors(vectors)))
    failures = [outcome for outcome in outcomes if outcome]
    passed = len(outcomes) - len(failures)
    if as_json:
        listed = [
            {"metric": f.vector.metric, "why": f.vector.why, "reason": f.reason} for f in failures
        ]
        click.echo(dumps({"passed": passed, "failed": len(failures), "failures": listed}, indent=2))
    else:
        for failure in failures:
            click.echo(f"{failure.vector.metric}: {failure.reason} ({failure.vector.why})")
        click.echo(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0
