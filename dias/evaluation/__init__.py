"""Precision and recall of a learned domain on breadth-first states."""
