"""Ways to publish one table, side by side: what is kept and what is given away."""
