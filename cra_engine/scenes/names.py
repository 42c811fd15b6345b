"""What the people of the playground are called: made up, and long enough for its tables."""

# The second is the Anna of the challenges.
NAMES: tuple[str, ...] = (
    *("Maria", "Anna", "Ben", "Clara", "David", "Elif", "Felix", "Greta", "Hugo", "Ines"),
    *("Jonas", "Kira", "Leo", "Mila", "Noah", "Olga", "Paul", "Quynh", "Rosa", "Samir"),
    *("Tara", "Uwe", "Vera", "Willem", "Xenia", "Yusuf", "Zoe", "Amir", "Bea", "Cem"),
    *("Dora", "Emil", "Fatma", "Georg", "Hana", "Igor", "Jana", "Karl", "Lina", "Marco"),
    *("Nora", "Otto", "Pia", "Ravi", "Selma", "Timo", "Ute", "Viktor", "Wanda", "Yara"),
)
