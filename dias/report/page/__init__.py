"""The report page: a template, its style sheet, and what they are filled with."""
