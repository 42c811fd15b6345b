"""A class that guesses on its telephones: the room in memory, and who may ask what of it."""
