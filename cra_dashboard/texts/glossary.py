"""What every term means, in one place: shown on hover, and as a page.

Names are the paper's and the field's. Meanings are Markdown, one or two sentences each.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from cra_dashboard.texts.faq import FAQ
from cra_engine.words import listed


@dataclass(frozen=True)
class Term:
    """A term of the glossary: what it means, what else it is called, and the terms to read beside it."""

    meaning: str
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


GLOSSARY: dict[str, Term] = {
    "quasi-identifier": Term(
        "a column that somebody outside may know about a person: age, postal code, weight", ("attribute",)
    ),
    "role": Term(
        "what becomes of a column: quasi-identifier, sensitive, kept as it is, removed, or undecided", ("roles",)
    ),
    "verdict": Term(
        "whether a release may go out, by a rule that a person sets: ready, attention or stop", see=("role",)
    ),
    "prosecutor": Term(
        "who knows that a person is in the table, and the person's quasi-identifiers: right with 1 in the class's size",
        see=("journalist", "marketer"),
    ),
    "journalist": Term(
        "who does not know who is in the table, and looks among a population: right with 1 in those who fit the class",
        see=("prosecutor",),
    ),
    "marketer": Term(
        "who wants to match as many records as possible, whoever they are: the share matched rightly",
        see=("prosecutor",),
    ),
    "hierarchy": Term(
        "how a quasi-identifier is made coarser: layer 1 has the finest intervals (leaves), the highest layer is the "
        "whole domain (root)",
        see=("layer", "fanout"),
    ),
    "domain": Term(
        "all values that a quasi-identifier may have, from a first one up to, but not including, an upper end"
    ),
    "resolution": Term("the distance of two neighbouring values: 1 for whole numbers, 0.1 for tenths"),
    "layer": Term(
        "one level of a hierarchy: 1 is the finest that is published, the highest the whole domain; values that are "
        "never published by themselves lie below, as layer 0",
        see=("hierarchy",),
    ),
    "leaf": Term("an interval of layer 1, the finest that may be published", see=("cell",)),
    "root": Term("the single interval of the highest layer, the whole domain; published as `*`"),
    "fanout": Term("into how many parts an interval splits one layer further down"),
    "interval": Term(
        "`[40, 60[`, as ARX writes it, means from 40 up to, but not including, 60; in print often `[40, 60)`"
    ),
    "state": Term("one layer per quasi-identifier, for instance (1, 3)", ("transformation",), ("lattice",)),
    "lattice": Term(
        "all states in their order: lines lead from a state to those one layer coarser in one quasi-identifier",
        see=("state",),
    ),
    "top": Term("the state whose layers are all the highest: every value is `*`, so nothing is published at it"),
    "information loss": Term(
        "how much longer intervals are than single values, 0 to 1: of a state the geometric mean of 1 plus each "
        "quasi-identifier's loss, less 1, of a table the mean over its rows; no other column counts",
        ("loss", "information lost"),
        ("detail lost", "c1", "c2", "c3"),
    ),
    "detail lost": Term(
        "the share of all values that is made coarser, hidden or left out, of age and sex counted threefold; the rest "
        "is kept; unlike information loss it counts every column that would go out",
        ("detail kept",),
        ("information loss",),
    ),
    "c1": Term("first criterion between states of equal loss: the sum of the layers, the smaller the better"),
    "c2": Term("second criterion: the mean of layer over height of the hierarchy, the smaller the better"),
    "c3": Term(
        "third criterion: the share of distinct values that a state would lose among the records that are left; it "
        "takes the raw table, so an attacker cannot compute it",
        see=("tie",),
    ),
    "tie": Term("states of exactly equal loss, c1 and c2: only the raw table decides which goes first", see=("c3",)),
    "grid": Term("all cells: the quasi-identifiers side by side, each cut into its leaves", see=("cell",)),
    "cell": Term("the finest box: one leaf of each quasi-identifier", ("basic segment",)),
    "box": Term("one interval per quasi-identifier: what a published row says", ("segment",), ("cell",)),
    "record": Term("one row of the table: one person, or one hospital"),
    "class": Term(
        "people who share a published row; at least *k* of them",
        ("equivalence class",),
        ("basic class", "compound class"),
    ),
    "basic class": Term("a class on a single cell; the attack cannot refine it"),
    "compound class": Term("a class whose box is wider than one cell; what the attack works on", ("wider class",)),
    "suppressed": Term(
        "of people who fit into no class, or whose class fails: published with `*` in every quasi-identifier",
        ("suppressed records",),
    ),
    "k": Term("the smallest number of people who may share a published row", see=("k-anonymous",)),
    "k-anonymous": Term(
        "of a table: every published row that is not suppressed is shared by at least *k* people", ("k-anonymity",)
    ),
    "local recoding": Term(
        "different rows may be published at different states: fine where many people are alike, coarse elsewhere",
        see=("global recoding", "step"),
    ),
    "ARX-LR": Term(
        "local recoding as the program ARX does it, which the attack reads backwards", see=("local recoding",)
    ),
    "g/s factor": Term(
        "a setting of ARX: how much suppressed records weigh in the loss; 0, as its local recoding comes: not at all",
        ("gsFactor",),
        ("information loss",),
    ),
    "global recoding": Term("all rows are published at one state", see=("Flash", "privacy model")),
    "Flash": Term(
        "a search that bisects paths of the lattice and predicts most states from the few it checks", see=("lattice",)
    ),
    "privacy model": Term(
        "what each published class has to fulfil, such as *k*-anonymity, l-diversity, t-closeness or d-presence",
        ("privacy criterion",),
        ("k-anonymous", "l-diversity", "t-closeness", "d-presence"),
    ),
    "l-diversity": Term("each class shows l well-represented values of a sensitive column: nobody is sure of one"),
    "t-closeness": Term(
        "in each class a sensitive column spreads nearly as in the whole table: the earth mover's distance is at most t"
    ),
    "delta-disclosure": Term(
        "each sensitive value that a class shows is about as frequent there as in the whole table: the logarithm to "
        "base 2 of the ratio stays below delta"
    ),
    "average-risk": Term("the classes are large enough on average: their number over the records is at most the risk"),
    "d-presence": Term(
        "from a class nobody learns well who is in the table: the published records are between two shares of the "
        "population there"
    ),
    "monotone": Term(
        "of a privacy model: what holds for a table holds for each coarser one; so one look settles other states",
        see=("lattice", "suppressed"),
    ),
    "discernibility": Term("how many records each record is confused with, in all; suppressed ones with every other"),
    "precision": Term("mean of layer over height of the hierarchies; a loss, 0 for exact values and 1 for roots"),
    "entropy": Term("how many bits less probable the published values are than the exact ones, over all records"),
    "step": Term(
        "one step of the recoding: the state of least loss that can publish is found, and its classes are taken out",
        ("iteration",),
    ),
    "profile": Term(
        "how the publisher runs ARX: each step may publish a single class, as in the paper, or must publish at least a "
        "share of all records, as the desktop program does"
    ),
    "release": Term("the published table, with the hierarchies and *k*: all that an attacker has"),
    "Combinatorial Refinement Attack": Term(
        "reads from a release what the rule of the recoding gives away about the exact values",
        ("CRA",),
        ("constraint",),
    ),
    "constraint": Term(
        "something that must be true of a class, or the rule would have published it otherwise",
        see=("total sum", "overlap constraint", "sparse constraint", "halves constraint"),
    ),
    "total sum": Term("the records in the cells of a class add up to its size"),
    "overlap constraint": Term("a cell that an earlier class covers holds nobody of a later class", ("stealing",)),
    "sparse constraint": Term("every smaller box inside a class holds fewer than *k* of its records"),
    "halves constraint": Term("each half of a class's box holds at least one record, where it has two"),
    "owner": Term("the first class that covers a cell: all people in the cell are in that class", see=("free cell",)),
    "free cell": Term("a cell of a class's box that no earlier class took; only there can its records lie"),
    "table": Term("one way to fill in the exact values of a class's records", ("data set", "world")),
    "promised": Term(
        "how many tables the published interval alone allows: what a reader without the attack is left with",
        ("LR solutions",),
        ("remaining",),
    ),
    "remaining": Term("how many tables the attack leaves", ("CRA solutions",), ("promised", "ratio")),
    "prior": Term(
        "what is supposed of the records before the release is read, such as that all of them differ: it tells how "
        "likely possible tables are, never which of them are possible",
        see=("remaining",),
    ),
    "ratio": Term("how many times fewer tables are possible than the published intervals promise", ("times fewer",)),
    "mean ratio": Term("the mean of the classes' ratios, the paper's measure; one large ratio pulls it up"),
    "filling": Term(
        "one way to spread the records of a class over its cells, by number only",
        ("assignment", "combination"),
        ("table",),
    ),
    "probability": Term("the share of the remaining tables in which something is true; all of them weigh the same"),
    "all classes together": Term(
        "the attack that goes beyond the paper: boxes across classes that were not published tell something too",
        ("tight attack",),
    ),
    "composition": Term(
        "what several releases of the same people say together: only the tables remain that give all of them",
        ("several releases",),
        see=("all classes together", "common cells"),
    ),
    "common cells": Term(
        "the cells between all edges of all hierarchies of several releases; each release's own cells are made of them"
    ),
    "linked rows": Term("rows of several releases that are known to be of the same person, by their order or an id"),
    "certain": Term("true in every table that remains possible"),
    "estimate": Term("computed from random tables, with its standard error; never shown as exact"),
    "description": Term(
        "what is true of some people and not of others, such as age in [40, 60[ and weight in [70, 80[; in the papers "
        "a predicate"
    ),
    "singled out": Term(
        "a description is true of exactly one person; finding that person's name takes another source",
        ("isolated", "unique", "stands alone"),
    ),
    "seed": Term("a number that makes random draws repeatable: the same seed, the same table"),
    "microaggregation": Term(
        "publishing with each record's numbers replaced by the means of its cluster of k records or more", see=("MDAV",)
    ),
    "MDAV": Term(
        "maximum distance to average vector: clusters around the records farthest from the middle, time and again",
        see=("microaggregation", "Mondrian"),
    ),
    "Mondrian": Term(
        "halving the table along the column that is spread most, until halves would be smaller than k",
        see=("microaggregation", "MDAV"),
    ),
    "contribution": Term("what one record adds to the total of a class in one column", see=("sensitive cell",)),
    "sensitive cell": Term(
        "a class and a column where the total gives some contributor away, by the dominance rule or the p% rule; "
        "another kind of cell than that of the grid",
        see=("dominance rule", "p% rule"),
    ),
    "dominance rule": Term(
        "(n, r): sensitive where the n largest contributions are more than the share r of the total",
        see=("sensitive cell",),
    ),
    "p% rule": Term(
        "sensitive where the second largest contributor, who subtracts its own number from the total, estimates the "
        "largest to within p%",
        see=("sensitive cell",),
    ),
    "safe recoding": Term(
        "local recoding where coins decide whether a box with k people is published, so that every table that fits its "
        "release could have given it",
        see=("gain", "epsilon", "region"),
    ),
    "gain": Term(
        "the most that a recoding's choices tell of one person to somebody who knows it and everybody else: a "
        "logarithm of odds; 0 where nothing was left to choose, as where every box is a single finest cell",
        see=("epsilon",),
    ),
    "epsilon": Term(
        "how much safe recoding may tell about one person: a reader's odds of where that person is grow at most 1.28 "
        "times with 0.25, 2.72 times with 1",
        see=("gain",),
    ),
    "region": Term(
        "where a class's people can lie in a safe release: its box without the boxes published on lower rungs"
    ),
    "frontier": Term("the ways to publish that no other beats: none keeps as much and gives away less"),
    "repair": Term("merging or suppressing classes of a release until stated targets hold for a reader unaware of it"),
    "heterogeneous generalization": Term(
        "publishing each row with a box of its own, wide enough for its matches; neighbours' boxes differ",
        see=("match", "bucket"),
    ),
    "sensitive attribute": Term("what nobody is to learn of a person from a table, even if some know it: an illness"),
    "bucket": Term("one of equally many groups of records by sensitive value; each row has one match in each"),
    "match": Term("a person that a row may stand for, and a row that may be a person's", see=("bucket",)),
    "dummy": Term(
        "a made-up place that fills a bucket; it counts in no box, and the row that carries its value shows `*`"
    ),
    "beta-likeness": Term(
        "nobody's confidence in a sensitive value grows by more than the share beta: "
        r"$\psi / \phi - 1 \le \beta$, $\psi$ its share among the matches, $\phi$ in the table"
    ),
    "GCP": Term(
        "Global Certainty Penalty: how much of each column's domain a published cell spans, the mean over all cells; 0 "
        "is as precise as the data, 1 says nothing",
        see=("information loss",),
    ),
    "naive Bayes": Term("a learner that guesses a person's sensitive value from counts of published rows"),
    "minimal release": Term(
        "a k-anonymous release that no other one refines: no value could be finer without another becoming coarser",
        see=("downcoding",),
    ),
    "downcoding": Term(
        "writing finer values into a release than it shows, from nothing but the release and its hierarchies; right "
        "for minimal releases of certain data",
        see=("minimal release", "compound singling out"),
    ),
    "compound singling out": Term(
        "many descriptions at once, no two true of the same record, each true of exactly one",
        see=("description", "weight"),
    ),
    "weight": Term("how likely a description is true of somebody drawn at random; the smaller, the more it says"),
    "effective anonymity": Term(
        "how many records have the same cells as a record, in the columns that an adversary knows; a missing cell "
        "equals another",
        ("EA",),
        ("ambiguous effective anonymity",),
    ),
    "ambiguous effective anonymity": Term(
        "how many records a record may be when a missing cell can be any value; never below the effective anonymity",
        see=("effective anonymity",),
    ),
    "adversary": Term("somebody who knows some columns about a person and looks for that person in a table"),
    "count query": Term("how many people have these values; answered from the release, compared with the truth"),
}

# The terms that a page uses, in the order in which a reader meets them.
PAGES: dict[str, tuple[str, ...]] = {
    page: tuple(terms.split(", "))
    for page, terms in {
        "data": "quasi-identifier, record, k",
        "hierarchies": "hierarchy, layer, leaf, root, fanout, domain, resolution, interval, k, profile",
        "recode": "local recoding, ARX-LR, state, lattice, information loss, c1, c2, c3, tie, class, cell, suppressed",
        "attack": (
            "release, table, promised, remaining, ratio, filling, owner, free cell, basic class, compound class, "
            "certain, estimate"
        ),
        "all_classes": "all classes together, class, cell, certain, estimate",
        "who_has_what": "sensitive attribute, class, cell, probability, certain",
        "single_out": "description, singled out, cell, filling, probability, certain, estimate",
        "safe_recoding": "safe recoding, gain, epsilon, region, detail lost, k, suppressed",
        "compare": (
            "local recoding, safe recoding, global recoding, repair, frontier, gain, singled out, certain, "
            "detail lost, information loss, count query, GCP, k"
        ),
        "heterogeneous": (
            "heterogeneous generalization, sensitive attribute, bucket, match, dummy, l-diversity, beta-likeness,"
            " GCP, naive Bayes, count query"
        ),
        "global_recoding": (
            "global recoding, state, lattice, Flash, privacy model, l-diversity, t-closeness, beta-likeness, "
            "delta-disclosure, d-presence, suppressed, monotone, entropy, precision, discernibility"
        ),
        "check": (
            "verdict, role, quasi-identifier, sensitive attribute, detail lost, k, l-diversity, t-closeness, "
            "prosecutor, journalist, marketer, certain"
        ),
        "microaggregate": "microaggregation, MDAV, Mondrian, k, contribution, sensitive cell, dominance rule, p% rule",
        "together": "release, composition, common cells, linked rows, certain, singled out, information loss, k, layer",
        "downcode": "minimal release, downcoding, compound singling out, weight, hierarchy, k",
        "effective_anonymity": "effective anonymity, ambiguous effective anonymity, adversary, quasi-identifier",
        "audit": "release, quasi-identifier, hierarchy, k, profile, g/s factor, ratio, certain, estimate",
        "experiments": (
            "quasi-identifier, layer, k, seed, profile, tie, ratio, basic class, compound class, suppressed, all "
            "classes together, singled out, estimate"
        ),
    }.items()
}


def meaning(term: str) -> str:
    """Return what a term of the glossary means, as a sentence; raise ``KeyError`` for an unknown one."""
    text = GLOSSARY[term].meaning
    return f"{text[:1].upper()}{text[1:]}."


def of_page(page: str) -> str:
    """Return the glossary's terms that a page uses with their meanings, to show on hover beside its title."""
    return "\n\n".join(f"**{name}**: {GLOSSARY[name].meaning}." for name in PAGES[page])


def columns(names: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Return help from the glossary for the columns of a table: pairs of the column's title and the term."""
    return {title: st.column_config.Column(help=meaning(term)) for title, term in names}


def found(wanted: str) -> list[str]:
    """Return the glossary's terms that a text occurs in, then the questions, as Markdown; all for an empty text.

    Terms that are called so, or begin so, come first.
    """
    low = wanted.strip().lower()

    def place(one: tuple[str, Term]) -> tuple[bool, bool, str]:
        called = [name.lower() for name in (one[0], *one[1].also)]
        return low not in called, not any(name.startswith(low) for name in called), one[0].lower()

    terms = []
    for name, term in sorted(GLOSSARY.items(), key=place):
        also = f" Also called {listed(term.also)}." if term.also else ""
        see = f" See {listed(term.see)}." if term.see else ""
        terms.append(f"- **{name}**: {meaning(name)}{also}{see}")
    questions = [f"- **{question}** {answer}" for question, answer in FAQ.items()]
    return [line for line in (*terms, *questions) if low in line.replace("`", "").replace("*", "").lower()]
