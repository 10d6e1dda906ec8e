"""MLflow: `genai.evaluate` with a code scorer."""

import tempfile

import mlflow
from harness import Record, measure
from mlflow.genai.scorers import scorer

mlflow.set_tracking_uri(f"sqlite:///{tempfile.mkdtemp()}/mlflow.db")


@scorer
def is_exact(outputs: str, expectations: Record) -> bool:
    return outputs == expectations["expected_response"]


def exact(records: list[Record]) -> object:
    data = [
        {
            "inputs": {"question": record["query"]},
            "outputs": record["response"],
            "expectations": {"expected_response": record["expected"]},
        }
        for record in records
    ]
    return mlflow.genai.evaluate(data=data, scorers=[is_exact])


measure({"exact": exact})
