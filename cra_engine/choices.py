"""The words that a person chooses from, as types: what functions take is what the command line offers."""

from typing import Literal

# Data sets that can be synthesized.
Kind = Literal["toy", "clinic", "hospitals"]
# What stands before the decimals of a number.
DecimalSign = Literal["point", "comma"]
# Which of several equally good states forms its classes first: the paper's third criterion decides, or ARX's own code.
RecodeTies = Literal["paper", "arx"]
# Who owns the cells that classes of tied states share: left open, or the smaller state first as in the paper.
AttackTies = Literal["sound", "paper"]
# How microaggregation forms its clusters.
ClusterMethod = Literal["mdav", "mondrian"]
# Who does the work of an experiment: processes of this machine, or a Dask cluster.
Backend = Literal["loky", "dask"]
# How matches of heterogeneous generalization are chosen: least loss (Hungarian), cheapest pair first, row by row.
MatchMethod = Literal["HG", "SG", "GR"]
# How the value that a heterogeneous row carries is chosen: ours, which keeps the promise to people, or the paper's.
Extraction = Literal["permutation", "paper"]
# From which verdict on a check ends with exit status 1.
FailOn = Literal["stop", "attention", "never"]
# Which loss decides among the states of global recoding.
Utility = Literal["entropy", "precision", "discernibility", "aecs"]
# How global recoding looks for it: in one of three orders at as few states as conclusions allow, or at every one.
Search = Literal["flash", "ola", "incognito", "exhaustive"]
# Which tables count when an attack weighs them: those of different records; any, their records independent; or, however
# common a cell may be, every assignment of numbers of records to cells.
Prior = Literal["distinct", "independent", "assignments"]
# The two downcoding attacks, named by the hierarchies that each needs.
DowncodingAttack = Literal["clusters", "ladder"]
# What a reader supposes of the publisher, where a release is asked whether it can be downcoded.
Publisher = Literal["minimal", "arx"]
