"""The command line, ``cra-engine``."""
