"""A clinic's table as it comes from a spreadsheet."""


def clinic(dates):
    """A clinic's table as it comes from a German spreadsheet, with three ways to say that nobody knows."""
    nothing = {3: "unbekannt", 8: "k.A.", 15: ""}
    rows = [
        f"{20 + n % 40};{nothing.get(n % 30, ('ledig', 'verheiratet')[n % 2])};"
        f"{nothing.get((n + 5) % 30, ('Grippe', 'Asthma', 'Migräne')[n % 3])};{dates[n % len(dates)]}"
        for n in range(120)
    ]
    return "\n".join(["Alter;Familienstand;Diagnose;Aufnahme", *rows]).encode("cp1252")
