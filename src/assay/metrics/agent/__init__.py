"""Agents: whether the tools were called as they should be, and whether the steps hold."""
