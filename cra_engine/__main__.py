"""``python -m cra_engine`` is ``cra-engine``."""

from cra_engine.cli import main

main()
