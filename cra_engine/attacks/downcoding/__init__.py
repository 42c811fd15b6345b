"""Downcoding: refining a minimal release from nothing but the release and its hierarchies."""
