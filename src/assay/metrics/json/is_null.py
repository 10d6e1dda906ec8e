from assay.core import rule
from assay.features import json_values

is_null = rule("json.is_null")(json_values.is_null)
