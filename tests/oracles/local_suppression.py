"""Local suppression as sdcMicro's kAnon publishes its algorithm, literally: one record and one cell at a time.

Groups of more than k are cut to k. Then, until every record is alike to k (a gap is alike to everything): for each
record with fewer, those of fewest first, look at the nearest records that differ from it, and hide the cell of the
first column, in the order of importance, in which one of them differs.
"""

GAP = "*"


def alike(one, other):
    return sum(a != b and GAP not in (a, b) for a, b in zip(one, other, strict=True))


def suppressed(table, k, order):
    """The table with hidden cells; ``order``: the columns, those to be hidden first at the front."""
    table = [list(record) for record in table]
    seen, kept = {}, []
    for place, record in enumerate(map(tuple, table)):
        seen[record] = seen.get(record, 0) + 1
        if seen[record] <= k:
            kept.append(place)
    k = min(k, len(table))
    while True:
        often = {place: sum(alike(table[place], table[other]) == 0 for other in kept) for place in kept}
        problems = sorted((place for place in kept if often[place] < k), key=lambda place: often[place])
        if not problems:
            return [tuple(record) for record in table]
        for place in problems:
            apart = {other: alike(table[place], table[other]) for other in kept}
            least = min((number for number in apart.values() if number), default=0)
            if not least:
                continue
            nearest = [other for other, number in apart.items() if number == least]
            column = next(
                column
                for column in order
                if any(
                    GAP not in (table[place][column], table[other][column])
                    and table[place][column] != table[other][column]
                    for other in nearest
                )
            )
            table[place][column] = GAP
