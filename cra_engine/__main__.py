"""``python -m cra_engine`` is ``cra-engine``."""

from cra_engine.cli.commands import main

main()
