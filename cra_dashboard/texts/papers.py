"""The papers that the program follows, named on Start, on the page of each method and in Streamlit's own menu."""

from collections.abc import Mapping
from importlib.metadata import version

ATTACK = (
    "Chhillar, Righi, Sutter, Kornaropoulos: *Exposing Privacy Risks in Anonymizing Clinical Data: Combinatorial "
    "Refinement Attacks on k-Anonymity Without Auxiliary Information*, 2025"
)
_HETEROGENEOUS = (
    "Gkountouna, Doka, Xue, Cao, Karras: *One-off Disclosure Control by Heterogeneous Generalization*, USENIX Security "
    "2022"
)
_GLOBAL = (
    "Kohlmayer, Prasser, Kuhn: *The cost of quality: Implementing generalization and suppression for anonymizing "
    "biomedical data with minimal information loss*, 2015"
)
_MEANS = "Torra, Navarro-Arribas: *Attribute disclosure risk for k-anonymity: the case of numerical data*, 2023"
_DOWNCODING = "Cohen: *Attacks on Deidentification's Defenses*, USENIX Security 2022"
PAPERS = (ATTACK, _HETEROGENEOUS, _GLOBAL, _MEANS, _DOWNCODING)
OF_PAGE: Mapping[str, str] = {
    "global_recoding": _GLOBAL,
    "microaggregate": _MEANS,
    "heterogeneous": _HETEROGENEOUS,
    "downcode": _DOWNCODING,
    "effective_anonymity": _DOWNCODING,
    "experiments": ATTACK,
}
# What the method of a page is, after what the page found.
METHODS: Mapping[str, str] = {
    "global_recoding": "Global recoding: one coarseness for the whole table.",
    "microaggregate": "Microaggregation: numbers become means of groups.",
    "heterogeneous": "Heterogeneous generalization: every row has a box of its own.",
    "downcode": "Downcoding: finer values are read out of a release.",
    "effective_anonymity": "Effective anonymity: how many records look like yours.",
}
_LISTED = "\n".join(f"- {paper}" for paper in PAPERS)
ABOUT = f"""**CRA Explorer** {version("cra-explorer")}, Apache License 2.0

Shows and checks what a k-anonymous table gives away. Tables stay in the memory of your session.

It follows these papers:

{_LISTED}
"""
