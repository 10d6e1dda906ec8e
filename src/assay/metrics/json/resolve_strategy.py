from assay.core import rule
from assay.features import json_values

resolve_strategy = rule("json.resolve_strategy")(json_values.resolve_strategy)
