"""The audit's report to file."""

import re
from datetime import date
from html.parser import HTMLParser

import pandas as pd
from arx_samples import published, study_of

from cra_engine import Attribute, Study, check, recode, synthesize
from cra_engine.audits.audit import audit
from cra_engine.audits.findings import advice
from cra_engine.audits.report import audit_html
from cra_engine.reports.filed import CheckedFile
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import spoken


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)
        self.links += [value for name, value in attrs if name in {"src", "href", "action", "data"}]

    def handle_data(self, data):
        self.text.append(data)


def parsed(html):
    tags = Tags()
    tags.feed(html)
    return tags


def test_the_report_needs_nothing_else_and_says_the_same_as_json():
    audited = audit(published("toy40b.ex38.k3"), study_of("toy40b.ex38.k3", "paper"))
    page = parsed(audit_html(audited, "toy.csv"))
    assert page.links == []
    assert not {"script", "link", "img", "iframe"} & set(page.found)
    text = " ".join("".join(page.text).split())
    shown = audited.to_dict()
    for sentence in [*shown["findings"], *shown["warnings"], *shown["supposed"]]:
        assert " ".join(spoken(sentence).split()) in text


HOSTILE = "<img src=x onerror=alert(1)>"


def test_html_in_names_and_labels_stays_text():
    name = f"a{HOSTILE}\"'&"
    table = pd.DataFrame(
        {name: ["[0, 10["] * 4 + ["[10, 20["] * 4 + ["*"], "c": [HOSTILE] * 4 + ["<b>y</b>"] * 4 + ["*"]}
    )
    tree = FileHierarchy("c", ((HOSTILE, HOSTILE, "*"), ("<b>y</b>", "<b>y</b>", "*")))
    html = audit_html(audit(table, hierarchies={"c": tree}), HOSTILE)
    page = parsed(html)
    assert not {"img", "b", "script"} & set(page.found)
    assert HOSTILE in "".join(page.text)


def test_the_verdict_comes_first_and_the_page_says_what_was_looked_at():
    made = synthesize("clinic")
    table = recode(made.data, made.study).release.table.astype(str)
    audited = audit(table, made.study)
    given = [CheckedFile("release", "clinic.csv", "0123abcd")]
    text = " ".join("".join(parsed(audit_html(audited, "clinic.csv", given, on=date(2026, 3, 5))).text).split())
    assert text.index("5 March 2026") < text.index("Stop.") < text.index("Findings") < text.index("What to do")
    assert "SHA-256 0123abcd" in text
    assert audited.verdict == check(None, made.study, table).verdict == "stop"


def test_long_lists_are_folded():
    made = synthesize("clinic")
    html = audit_html(audit(recode(made.data, made.study).release.table.astype(str), made.study))
    open_page = re.sub(r"<details>.*?</details>", "", html, flags=re.DOTALL)
    rows = open_page.count("<tr>")
    assert rows < 40
    assert html.count("<tr>") > 2 * rows


def test_names_in_a_released_table_stop_it():
    people = [f"{first} {last}" for first in ("Ada", "Bo", "Cy") for last in ("Lo", "Ray", "Fox", "Orr")]
    table = pd.DataFrame({"who": people, "age": ["[0, 20["] * 6 + ["[20, 40["] * 6})
    audited = audit(table, Study([Attribute("age", 0, 40, 2)], 2))
    assert audited.verdict == "stop"
    assert (
        "The column 'who' says who somebody is: its cells look like names of people; take it out." in audited.findings
    )
    assert audit(table.drop(columns="who"), Study([Attribute("age", 0, 40, 2)], 2)).verdict != "stop"


def test_the_to_do_list_is_of_this_table_and_the_numbers_of_tables_stand_at_the_end():
    # Nobody stands alone here, nothing is raw, and the intervals are all that is guessed.
    calm = pd.DataFrame({"age": ["[0, 20["] * 5 + ["[20, 40["] * 5})
    guessed = audit(calm)
    lines = advice(guessed)
    assert lines[0].startswith("Give the hierarchy of age:")
    assert not any("raw values" in line or "wider" in line for line in lines)
    known = audit(calm, Study([Attribute("age", 0, 40, 2)], 5))
    assert [line for line in advice(known) if "hierarchy" in line] == []
    raw = audit(pd.DataFrame({"age": ["12", "12", "[0, 20[", "[0, 20["]}), Study([Attribute("age", 0, 40, 3)], 2))
    assert any("Keep raw values out" in line for line in advice(raw))
    assert any("wider finest intervals of age" in line for line in advice(raw))
    page = audit_html(guessed)
    start = "Going by the intervals alone"
    assert page.index("What to do") < page.index("Appendix: how many tables") < page.index(start)
    assert page.count(start) == 1
