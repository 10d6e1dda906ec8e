"""Whether a task was done, in how many steps, with which tools."""
