"""Effective anonymity pair by pair: cells as sets of values, a missing one as the whole domain."""


def effective(rows, domains):
    """Per row how many rows are equal, and how many share a value in every column; cells are sets, None is missing."""
    sets = [[domain if cell is None else cell for cell, domain in zip(row, domains, strict=True)] for row in rows]
    equal = [sum(row == other for other in sets) for row in sets]
    meet = [sum(all(a & b for a, b in zip(row, other, strict=True)) for other in sets) for row in sets]
    return equal, meet
