from assay.core import rule
from assay.jsoncompare import values as json_values

is_null = rule("json.is_null")(json_values.is_null)
