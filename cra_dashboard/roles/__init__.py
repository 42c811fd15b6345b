"""What becomes of the columns of a table: roles, missing values, decimals."""
