"""The publisher's table: values, cells, synthesis, proposed hierarchies."""
