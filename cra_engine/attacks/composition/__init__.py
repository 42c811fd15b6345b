"""Several releases of the same people, attacked together."""
