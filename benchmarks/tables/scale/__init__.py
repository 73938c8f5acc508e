"""The two parts of the table of scaling."""
