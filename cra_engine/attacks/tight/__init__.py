"""All classes of a release attacked together: everything that a release says."""
