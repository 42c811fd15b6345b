"""The page Microaggregate: clusters, sensitive cells, who could estimate whom."""
