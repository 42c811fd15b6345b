"""One solver for bounds on counts, of one release or of several: split, counted, estimated, proven and explained."""
