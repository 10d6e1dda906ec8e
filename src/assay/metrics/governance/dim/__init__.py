"""The nine dimensions: means of their metrics, from 0 to 100."""
