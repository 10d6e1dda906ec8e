"""Whether an answer says its sources, its reasons and its doubts, in a form that can be read."""
