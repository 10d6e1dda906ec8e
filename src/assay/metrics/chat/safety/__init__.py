"""What an answer should not hold, and what a query should not ask."""
