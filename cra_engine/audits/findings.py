"""Says what an audit found, in plain sentences."""

from cra_engine.assess.assessment import FACTOR_SUPPOSED, Assessment
from cra_engine.assess.figure import people_text
from cra_engine.attacks.order import SortedColumn
from cra_engine.attacks.tight.sorted_rows import SortedRows
from cra_engine.audits.outcome import Audit
from cra_engine.release import Owner, Release
from cra_engine.sentences import Piece, Sentence
from cra_engine.study.grid import Cell, Segment
from cra_engine.words import all_of, fewer, how_many, listed, odds_factor, percent, power, spanned

MOST_NAMED = 10


LIMITS = (
    "An audit shows what a table gives away to this attack. It never shows that a table gives nothing away: other "
    "attacks, and what an attacker knows besides, are not looked at."
)


def advice(audited: Audit) -> tuple[str, ...]:
    """Say what an audit advises to do about this very table."""
    release, assessment = audited.release, audited.assessment
    lines = [f"Take the column {column.name!r} out." for column in audited.identifying]
    if audited.doubtful:
        lines.append(f"Say whether {listed(audited.doubtful)} can be known of a person: name all quasi-identifiers.")
    if audited.conditional:
        names = listed([proposal.hierarchy.name for proposal in audited.proposals])
        lines.append(f"Give the hierarchy of {names}: it is guessed, and everything certain holds only if rightly.")
    if release.raw_records:
        lines.append("Keep raw values out: set the minimum level of every quasi-identifier to 1.")
    alone = assessment.certain.value or (assessment.expected.value or 0) >= 1
    if alone:
        lines.append(
            f"Take wider finest intervals of {listed(release.study.names)}: they leave fewer cells in which somebody "
            "can stand alone."
        )
    if alone and assessment.recoding == "local" and not release.study.safe and not audited.contradicted:
        lines.append(
            f"Or a k above {release.k}, which weakens each bound of the attack; safe recoding, which excludes no table "
            "that fits its release; or global recoding, which leaves no order of formation to read."
        )
    if lines:
        lines.append("Whatever is changed, audit the new table too.")
    return (*lines, LIMITS)


def tables_left(audited: Audit) -> tuple[str, ...]:
    """Say for the end of an audit how many tables are possible, which says more to who knows the method."""
    release = audited.release
    if audited.contradicted or not (release.classes or release.suppressed):
        return ()
    return (_left(audited), *([_bounded(release)] if release.study.safe else []))


def findings(audited: Audit) -> tuple[str, ...]:
    """Say what an audit found in plain sentences: what is in doubt of its columns, then what the table promises."""
    result = [*_doubt(audited), _promise(audited)]
    result += [
        f"The column {one.name!r} says who somebody is: {one.reason}; take it out." for one in audited.identifying
    ]
    if audited.contradicted:
        contrary = "This table contradicts the algorithm and the settings it is said to be made with."
        return (*result, f"{contrary} Nothing is claimed beyond what its intervals say.")
    result += [one.told for one in audited.checked.shared if one.people]
    result += _certain(audited)
    result += _who_has_what(audited)
    result += _sorted(audited)
    result += _probable(audited)
    result += _worst(audited)
    return (*result, *tables_left(audited))


def _doubt(audited: Audit) -> list[str]:
    """Returns which columns may be quasi-identifiers too, and what would change."""
    if not audited.doubtful:
        return []
    one = len(audited.doubtful) == 1
    are = "is a quasi-identifier" if one else "are quasi-identifiers"
    text = (
        f"In doubt: whether {listed(audited.doubtful)} {are} too, beside {listed(audited.release.study.names)}. "
        f"By these and {'it' if one else 'any one of them'} together nobody stands alone, so the table cannot tell. "
        f"Name all quasi-identifiers: if {'it is' if one else 'they are'} among them, other classes were formed than "
        f"those below"
    )
    suppressed = audited.release.suppressed
    if suppressed:
        text += f", and {all_of(suppressed, 'record')} that {'shows' if suppressed == 1 else 'show'} * "
        text += "in all others " + ("is not suppressed" if suppressed == 1 else "are not suppressed")
    return [text + "."]


def _promise(audited: Audit) -> str:
    release = audited.release
    sizes = [c.size for c in release.classes]
    people = how_many(release.records, "person", "people")
    shown = f"{release.records - release.suppressed:,} of {people}" if sizes and release.suppressed else people
    text = f"The table shows {shown} by {', '.join(release.study.names)}"
    if sizes:
        span = spanned(min(sizes), max(sizes))
        text += (
            f" in {how_many(len(sizes), 'box', 'boxes')} (equivalence classes) of {span}: it promises that everybody "
            f"in a box shares their intervals with at least {how_many(release.k - 1, 'other')}"
        )
    else:
        text += ", none of them in a box"
    if release.suppressed and audited.doubtful:
        shows = "shows" if release.suppressed == 1 else "show"
        text += (
            f". {how_many(release.suppressed, 'person', 'people')} {shows} * in all of these, as suppressed records do"
        )
    elif release.suppressed:
        text += f". {how_many(release.suppressed, 'person is', 'people are')} suppressed"
    return text + "."


def _bounded(release: Release) -> str:
    gain = float(release.regions.gain)
    return (
        "It is a safe release: none of these is excluded. What was published and what was not changes the odds between "
        f"two places of one person by a factor of {odds_factor(gain)} at most (gain {gain:.3g}), even for somebody "
        "who knows all others. Which boxes were published earlier can be read off openly, and is not part of that."
    )


def _left(audited: Audit) -> str:
    if audited.assessment.recoding == "global":
        return _left_of_state(audited.assessment)
    tight, tables = audited.tight, audited.attack.tables()
    if audited.release.study.safe:
        return (
            f"Going by the intervals alone, {power(tables.log10_promised)} different tables of exact values are "
            f"possible; without the boxes that were published earlier, {power(tables.log10_left)} fit."
        )
    bound = "at most " if tables.bounded or not audited.attack.formation.uniform else ""
    text = (
        f"Going by the intervals alone, {power(tables.log10_promised)} {_counted(audited)} are possible. "
        f"Read class by class, the attack leaves {bound}{power(tables.log10_left)}"
    )
    if tight is None or tight.log10_worlds is None:
        return f"{text}; how many it leaves when all classes are read together is not known."
    together = power(tight.log10_worlds)
    if tight.relaxed:
        return (
            f"{text}; reading all classes together, at most {together}{'' if tight.counted else ' (estimate)'} remain"
            + (": that of the classes, since of all together more are counted." if tight.of_classes else ".")
        )
    if tight.counted:
        return f"{text}; reading all classes together, exactly {together} remain (counted, shown rounded)."
    error = tight.log10_worlds_stderr or 0.0
    return (
        f"{text}; reading all classes together, about {together} remain (an estimate; the standard error of its "
        f"exponent is {error:.2f})."
    )


def _left_of_state(assessment: Assessment) -> str:
    promised, fewest, most = assessment.promised.value, assessment.left.lower, assessment.left.upper
    if promised is None or fewest is None or most is None:
        return f"How many tables are possible is not known. {' '.join(assessment.missing)}"
    between = f"{power(fewest)} to {power(most)}, by whichever of the states that fit all labels"
    return (
        f"Going by the intervals alone, {power(promised)} different tables of exact values are possible; where one "
        f"state holds for all records, the rule of suppression leaves {power(fewest) if fewest == most else between}."
    )


_COUNTED = {
    "distinct": "different tables of exact values",
    "independent": "tables of exact values, in any order of their rows,",
    "assignments": "ways to spread the records over the finest cells",
    "population": "weighed tables (weights in place of numbers, so that only ratios tell something)",
}


def _counted(audited: Audit) -> str:
    return _COUNTED[audited.attack.prior.name]


def _weighed(audited: Audit) -> str:
    if audited.release.study.safe:
        return "if every table weighs what the recoding gives it"
    return audited.attack.prior.supposed


def predicate(release: Release, cell: Cell) -> str:
    """Write a cell of an audited table as a description of a person."""
    return release.grid.describe(cell)


# Why there may be more certain cells than were found: the time, or the order of formation.
_EXTENT = {
    False: ", in the time given",
    True: ", by the parts of the release that were used",
}


def _sorted(audited: Audit) -> list[str]:
    """Returns what the order of the rows tells, if the table was sorted."""
    release, said = audited.release, []
    for found in audited.in_order:
        column = found if isinstance(found, SortedColumn) else found.column
        how = "descending" if column.descending else "ascending"
        text = (
            f"The rows stand as those of a table that is sorted by {column.name!r}, {how}; rows in random order do so "
            f"with a chance of {column.chance} at most."
        )
        if isinstance(found, SortedRows) and found.refuted:
            said.append(f"{text} But no table that was sorted so gives this release.")
            continue
        rows, hidden = found.narrowed, found.narrowed & (release.class_of_row == Owner.SUPPRESSED)
        text += (
            f" If it was sorted so, the order narrows {how_many(int(rows.sum()), 'row')} beyond what they show, "
            f"{int(hidden.sum()):,} of them suppressed"
        )
        alone = set() if isinstance(found, SortedColumn) else set(found.isolated) - set(audited.isolated)
        more = f", and {how_many(len(alone), 'more cell')} of the grid hold exactly one person for certain"
        said.append(f"{text}{more if alone else ''}.")
    return said


def _certain(audited: Audit) -> list[str]:
    certain = audited.assessment.certain
    if certain.value is None:
        return []
    if not certain.value:
        extent = "" if audited.assessment.complete else _EXTENT[certain.sure != "timeout"]
        return [f"No cell is found to hold exactly one person for certain{extent}."]
    guessed = [f"{listed(audited.release.study.names)} are all quasi-identifiers"] if audited.doubtful else []
    guessed += ["the guessed hierarchies are the publisher's"] if audited.conditional else []
    guessed += ["no step had to publish more than 1 % of all records"] if audited.profile_guessed else []
    guessed += [FACTOR_SUPPOSED] if audited.gs_factor_supposed and audited.assessment.needs_factor else []
    condition = f"If {listed(guessed)}, " if guessed else ""
    number = int(certain.value)
    start = (
        f"{condition}{how_many(number, 'cell')} of the grid {'holds' if number == 1 else 'hold'} exactly one person "
        "for certain, known from the table alone"
    )
    result = [start[0].upper() + start[1:] + "."]
    result += [f"Exactly one person has {predicate(audited.release, cell)}." for cell in audited.isolated[:MOST_NAMED]]
    if len(audited.isolated) > MOST_NAMED:
        result.append(f"{number - MOST_NAMED} more are in the table of cells.")
    return result


def _who_has_what(audited: Audit) -> list[str]:
    """The sensitive values that are certain of people, or that nobody in a cell can have."""
    values = audited.assessment.who_has_what
    if values is None:
        return []
    condition = "If the settings above are the publisher's, " if audited.conditional or audited.doubtful else ""
    certain, narrowed = values.certain, [found for found in values.narrowed if found.certain is None]
    said = []
    if certain:
        said.append(f"{condition}{values.sentence(certain[0])}")
        if len(certain) > 1:
            said.append(f"Of {how_many(len(certain), 'person', 'people')} in all the value is certain.")
    if narrowed:
        cells = how_many(len(narrowed), "more cell" if certain else "cell")
        said.append(
            f"Of {cells} it is certain that nobody there has some value that the class shows; the first: "
            f"{values.sentence(narrowed[0])}"
        )
    return said


# docs/priors.md has the tables that this was measured on.
_HOW_SURE = (
    "What is likely supposes what records are like: over many tables such chances come true, in a single one they can "
    "be off by ten percentage points and more, and nothing in a release tells."
)


def _probable(audited: Audit) -> list[str]:
    assessment = audited.assessment
    figure, together = assessment.expected, audited.tight is not None and audited.tight.expected_isolated is not None
    how = "all classes read together" if together else "each class read by itself"
    people = people_text(figure)
    if people is None or audited.checked.assessment is None:
        return []
    if figure.value is None:
        how += ", some too large to count"
    alone = f"{people} {'person is' if people.split()[-1] == '1' else 'people are'} alone, the only one of their kind"
    if assessment.recoding == "global":
        return [f"On average over the tables that remain, {alone}. {_HOW_SURE}"]
    certain = set(audited.isolated)
    likely = [(cell, chance) for cell, chance in audited.chances if cell not in certain]
    if figure.value is None:
        likely = []
    remain = "that remain"
    if together and audited.tight is not None and audited.tight.relaxed:
        remain = "that are counted, impossible ones among them"
    text = f"On average over the tables {remain}, {alone}, by {how}, {_weighed(audited)}"
    if likely:
        besides = "besides those that are certain " if audited.isolated else ""
        text += f"; {besides}the likeliest is {predicate(audited.release, likely[0][0])}, with {percent(likely[0][1])}"
    return [f"{text}. {_HOW_SURE}"]


def _worst(audited: Audit) -> list[str]:
    if audited.release.study.safe or audited.assessment.recoding == "global":
        return []
    cut = [p for p in audited.attack.parts if not p.basic and not p.contradiction and p.ratio > 1]
    cut.sort(key=lambda p: -p.log10_ratio)
    result: list[str] = []
    if cut:
        pieces: list[Piece] = []
        for part in cut[:3]:
            title, *number = part.title.pieces
            pieces += ["; "] if pieces else []
            pieces += [str(title)[:1].lower() + str(title)[1:], *number]
            pieces.append(f" ({_box(audited.release, part.segment)}, {how_many(part.size, 'record')}): ")
            pieces.append(f"{fewer(part.lr_solutions, part.cra_solutions)} tables")
        result.append(Sentence("The attack cuts deepest in ", *pieces, "."))
    basic = sum(p.basic for p in audited.attack.classes)
    if basic:
        result.append(
            f"{how_many(basic, 'class', 'classes')} {'lies' if basic == 1 else 'lie'} on a single cell: there the "
            "attack adds nothing to the published intervals."
        )
    return result


def _box(release: Release, segment: Segment) -> str:
    return "everything" if segment == release.grid.whole else release.grid.describe(segment)
