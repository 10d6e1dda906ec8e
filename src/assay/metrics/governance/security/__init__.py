"""Attacks in the query, leaks in the response, authorisation and audit trail."""
