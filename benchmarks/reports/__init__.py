"""Reports from finished runs: figures, tables, plots."""
