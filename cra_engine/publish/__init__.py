"""Ways to publish: data and study in, frozen result out, with the table, its classes and what an attack may read."""
