"""Call a function in this process and print what it returns as JSON; see `command.run_function`.

``python -m dias_benchmarks.running.call MODULE FUNCTION ARGUMENTS MIB``
"""

from __future__ import annotations

import json
import resource
import sys
from importlib import import_module


def main(module: str, function: str, arguments: str, memory_limit_mib: str) -> None:
    """Call and print; end with a message if more memory is needed than is allowed, if any is."""
    if limit := int(memory_limit_mib) * 2**20:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        print(json.dumps(getattr(import_module(module), function)(**json.loads(arguments))))
    except (MemoryError, RuntimeError) as error:  # torch's allocator raises RuntimeError
        if isinstance(error, RuntimeError) and "alloc" not in str(error):
            raise
        sys.exit(f"more than {memory_limit_mib} MiB needed")


if __name__ == "__main__":
    main(*sys.argv[1:])
