"""The playground: people as dots that can be moved, and beside them what anybody learns from the published table."""
