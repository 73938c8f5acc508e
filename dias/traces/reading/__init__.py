"""A trace file read line by line."""
