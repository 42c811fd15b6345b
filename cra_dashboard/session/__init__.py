"""What a session holds, how work runs in it, and what of the server it needs."""
