"""Environmental cost: what the call took in money, compute and energy."""
