"""BuReL from its three steps: every cut of the values tried, records in plain lists, a Hilbert curve drawn by rules."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise


def runs(values, cuts):
    ends = [0, *cuts, len(values)]
    return [values[a:b] for a, b in pairwise(ends)]


def cut(supports, beta):
    """Of all ways to cut the ascending values into runs that are small enough the one of fewest runs, longest last."""
    values = sorted(supports, key=lambda value: (supports[value], value))
    for many in range(len(values)):
        fitting = [
            cuts
            for cuts in combinations(range(1, len(values)), many)
            if all(sum(supports[v] for v in run) <= (1 + beta) * supports[run[0]] for run in runs(values, cuts))
        ]
        if fitting:
            return runs(values, min(fitting, key=lambda cuts: cuts[::-1]))
    raise AssertionError("Each value by itself is small enough.")


def class_sizes(values, buckets, beta):
    """Per class how many it takes of each bucket: halves, and halves of these, as long as both may be a class."""
    n, supports = len(values), Counter(values)
    rarest = [min(supports[values[row]] for row in bucket) for bucket in buckets]
    waiting, sizes = [[len(bucket) for bucket in buckets]], []
    while waiting:
        node = waiting.pop()
        odd = [many % 2 for many in node]
        # The first, third, .. that is over goes right and the others left; else all go right.
        by_turns = [many // 2 + (many % 2 and sum(odd[:at]) % 2) for at, many in enumerate(node)]
        for left in (by_turns, [many // 2 for many in node]):
            right = [many - part for many, part in zip(node, left, strict=True)]
            if all(
                sum(part) > 0
                and all(
                    Fraction(x, sum(part)) <= (1 + beta) * Fraction(r, n) for x, r in zip(part, rarest, strict=True)
                )
                for part in (left, right)
            ):
                waiting += [right, left]
                break
        else:
            sizes.append(node)
    return sizes


def classes(values, places, beta, draw):
    """The rows of each class; ``values`` and ``places`` per row."""
    tried = []
    for tenths in range(11):
        run_of = cut(Counter(values), beta * Fraction(tenths, 10))
        buckets = [[row for row in range(len(values)) if values[row] in run] for run in run_of]
        tried.append((len(class_sizes(values, buckets, beta)), tenths, buckets))
    _, _, buckets = max(tried, key=lambda one: one[:2])
    sizes = class_sizes(values, buckets, beta)
    made = []
    for node in sizes:
        free = [row for bucket in buckets for row in bucket]
        seed = places[draw(sorted(free))]
        one = []
        for bucket, many in zip(buckets, node, strict=True):
            for _ in range(many):
                row = min(bucket, key=lambda row: (abs(places[row] - seed), places[row], row))
                bucket.remove(row)
                one.append(row)
        made.append(sorted(one))
    return made


def hilbert(order):
    """The points of the plane's Hilbert curve in their order: F draws on, L and R turn, A and B are rewritten."""
    word = "A"
    for _ in range(order):
        word = "".join({"A": "LBFRAFARFBL", "B": "RAFLBFBLFAR"}.get(sign, sign) for sign in word)
    x = y = 0
    step, points = (1, 0), [(0, 0)]
    for sign in word:
        if sign == "F":
            x, y = x + step[0], y + step[1]
            points.append((x, y))
        elif sign in "LR":
            step = (-step[1], step[0]) if sign == "L" else (step[1], -step[0])
    return points
