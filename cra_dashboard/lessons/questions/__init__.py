"""Questions to answer before a page shows it, by what they are about; the engine computes every choice and reason."""
