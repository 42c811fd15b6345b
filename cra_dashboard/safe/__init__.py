"""The page Safe recode."""
