"""Other tools on the same records: `make bench-peers` writes `docs/reference/peers.md`."""
