"""The command line: `ctxcontracts typing-config CHECKER`, and the commands for stores (`store_commands.py`)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ctxcontracts.store_commands import add_commands, run
from ctxcontracts.typing_config import CONFIGS


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives the exit code.

    Args:
        arguments: the arguments; those of the process when left out.
    """
    parser = argparse.ArgumentParser(prog="ctxcontracts", description="Tools for projects that use ctxcontracts.")
    commands = parser.add_subparsers(dest="command", required=True)
    typing_config = commands.add_parser(
        "typing-config", help="print the lines that make a type checker see what the library says in its types"
    )
    typing_config.add_argument("checker", choices=sorted(CONFIGS), help="the type checker that you use")
    add_commands(commands)
    given = parser.parse_args(arguments)
    if given.command != "typing-config":
        return run(given)
    sys.stdout.write(CONFIGS[given.checker].told())
    return 0


if __name__ == "__main__":
    sys.exit(main())
