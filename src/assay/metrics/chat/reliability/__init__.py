"""Whether answers are stable, valid and in the promised form."""
