"""The `dias` command; installed as the package `dias_cli`."""
