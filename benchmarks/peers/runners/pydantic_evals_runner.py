"""pydantic-evals: a dataset whose task looks up the recorded answer."""

from harness import Record, measure
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected


def exact(records: list[Record]) -> object:
    answers = {record["id"]: record["response"] for record in records}
    cases = [
        Case(name=record["id"], inputs=record["id"], expected_output=record["expected"])
        for record in records
    ]
    dataset = Dataset(name="records", cases=cases, evaluators=[EqualsExpected()])
    return dataset.evaluate_sync(answers.__getitem__, progress=False)


measure({"exact": exact})
