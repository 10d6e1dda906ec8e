"""The numbered steps from one form of the tables to the next; each goes both ways."""
