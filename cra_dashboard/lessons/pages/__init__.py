"""The pages that lessons go to, each with its questions and with what lessons know of it."""
