"""What is asked of a release, in a few words: by the code of each finding that says it is not so."""

from collections.abc import Iterable

from cra_engine.checks.outcome import Finding

DEMANDS = {
    "k": "enough people who look alike",
    "also": "enough people who look alike by what else is known together",
    "also-together": "nobody alone by all that is known together",
    "risk": "the highest risk of a person",
    "population": "a population that holds everybody of the table",
    "l-diversity": "different sensitive values in every group",
    "t-closeness": "sensitive values spread as in the whole table",
    "single-value": "no sensitive value that one person alone has",
    "no-sensitive": "a sensitive column that is named",
    "alone": "nobody alone with what is published of them",
    "whole-rows": "enough people who look alike in all that is published",
    "whole-rows-alike": "different sensitive values among people who look alike in all that is published",
    "certain": "nobody singled out for certain",
    "who-has-what": "nobody's sensitive value known for certain",
    "expected": "fewer than 1 person expected to be alone",
    "few-suppressed": "enough rows that show only *, or none",
    "suppressed-alike": "different sensitive values in rows that show only *",
    "all-suppressed": "something that is published at all",
    "known-to-others": "nothing as it stands that others may know",
    "identifying": "nothing that says who somebody is",
    "identifying-kept": "nothing that says who somebody is",
    "nearly-identifying": "nothing that nearly says who somebody is",
    "nearly-identifying-kept": "nothing that nearly says who somebody is",
    "undecided": "a role for every column",
    "removed-published": "nothing that is to be removed",
    "order": "rows in an order that tells nothing",
    "no-names": "column names that are no cells of a record",
    "no-hierarchy": "values that the hierarchies explain",
    "not-this-table": "a release that is of this table",
    "privacy-model": "the study's privacy models",
    "made-otherwise": "a table that is explained by the way it was made",
    "attack-out-of-time": "knowing whom the file singles out, for which the time ran out",
    "attack-not-looked-at": "knowing whom the file singles out, which could not be worked out",
}


def unmet(findings: Iterable[Finding]) -> list[str]:
    """Return what is asked for and is not so by some findings, each once, in their order.

    >>> unmet([Finding("stop", "k", "2 groups ..."), Finding("stop", "certain", "3 descriptions ...")])
    ['enough people who look alike', 'nobody singled out for certain']
    """
    return list(dict.fromkeys(DEMANDS[one.code] for one in findings))
