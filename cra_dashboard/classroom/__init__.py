"""A class that guesses on its telephones: the room in memory, who may ask what of it, and the telephones' page."""
