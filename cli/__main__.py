"""``python -m dias_cli``: the same as the command `dias`."""

from dias_cli.start import main

main()
