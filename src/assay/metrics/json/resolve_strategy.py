from assay.core import rule
from assay.jsoncompare import values as json_values

resolve_strategy = rule("json.resolve_strategy")(json_values.resolve_strategy)
