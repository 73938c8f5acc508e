"""Find the packages: `cli` and `benchmarks` are installed under names of the project's own.

All else is in pyproject.toml, which has no way of saying this without a list kept by hand.
"""

from setuptools import find_packages, setup

FOLDERS = {"dias": "dias", "dias_cli": "cli", "dias_benchmarks": "benchmarks"}

setup(
    package_dir=FOLDERS,
    packages=[
        name
        for package, folder in FOLDERS.items()
        for name in (package, *(f"{package}.{inner}" for inner in find_packages(folder)))
    ],
)
