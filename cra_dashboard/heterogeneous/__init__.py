"""The page Heterogeneous: buckets and matches, the promise on both sides, what is lost and what an attack learns."""
