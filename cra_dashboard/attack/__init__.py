"""The page Attack: one class, all classes, all together."""
