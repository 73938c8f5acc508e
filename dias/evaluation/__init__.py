"""Precision and recall of a learned domain on test states."""
