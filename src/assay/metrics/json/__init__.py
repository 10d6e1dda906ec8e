"""A JSON output beside its ground truth: field by field, and as one Response Quality Score.

Every field falls into exactly one bucket: in both documents with a value, missing in the output,
extra in the output, a value where the ground truth says null, or skipped. Null is null, and text
without anything but blanks; 0, false, [] and {} are values. Completeness, hallucination and
accuracy count the buckets, and RQS weighs them together with the safety of the output.

A field's strategy says how its values are compared: EXACT by their text in lower case, FUZZY by
letters and words, SEMANTIC by meaning, IGNORE not at all. Without a choice the type of the ground
truth's value decides: plain text is SEMANTIC, everything else EXACT. All choices (strategies,
thresholds, weights, how deep documents are opened, how lists are paired) stand in the profile's
table `[json]`.

The output is `response_json`, or else `response` read as JSON. One that is not JSON scores as no
answer at all, and every explanation says so. Models are asked for SEMANTIC fields only; a judge,
where one is configured, for FUZZY and SEMANTIC ones.
"""
