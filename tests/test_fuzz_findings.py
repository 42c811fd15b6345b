"""What fuzzing the readers brought to light: each file that once broke a rule is read again, or refused in a sentence.

The rules stand in fuzz/targets.py; ``make fuzz`` looks for more such files.
"""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "fuzz"))
import targets

FINDINGS = {
    "a character 0 in UTF-16": ("data", "a\x00|b\n1|2\n".encode("utf-16")),
    "the first byte of a byte order mark alone": ("release", b"\xef"),
    "two bytes of a byte order mark": ("data", b"\xef\xbb"),
    "a number of thousands of digits in a message": (
        "study",
        b'k = 2\n[[attribute]]\nname = "a"\nlower = 0\nupper = 8\nlayers = ' + b"3" * 2000,
    ),
    "an exponent past what a decimal holds": (
        "study",
        b'k = 2\n[[attribute]]\nname = "a"\nlower = 1\nupper = 8\nlayers = 3e400999999999999999999999',
    ),
    "more brackets than Python follows": ("study", b"k = " + b"[" * 4000),
    "a group of intervals under a name": ("hierarchy", b"1;[0, 2[;low;*\n3;[2, 4[;high;*\n"),
    "a group under what looks like an interval": ("hierarchy", b"1;[0, 2[;[+, 4[;*\n3;[2, 4[;b;*\n"),
    "a gap inside a named group": ("hierarchy", b"1;[0, 2[;[;*\n3;[3, 4[;[;*\n"),
    "the sign of suppression on a leaf": ("hierarchy", b"1;*;all\n2;b;all\n"),
    "an exponent past arithmetic beside a gap": ("hierarchy", b"1;[0, 2[;[0,1e4004004[;*\n3;[2,4[;[[0s 2[;*\n"),
    "one label for different groups": ("hierarchy", b"1;a;a;*\n2;b;a;*\n3;c;c;*\n"),
    "an interval of thousands of digits": ("hierarchy", b"1;[0, 2[;*\n3;[2, 1e4004[;*\n"),
    "an exponent past what arithmetic holds": (
        "hierarchy",
        b".5;[1e400444444444444444, 2[;*\n1e400444444444444444;x;*\n",
    ),
    "labels with other delimiters and quotes": ("hierarchy", b'1|"2[;""[""e400"";*"|*\n3|4[;[0 4[;*|*\n'),
    "labels that make other quotes look broken": ("hierarchy", b'0.5,"[0, \r\r\r[",*\n1We40012"\x0cL7,,*\n'),
    "a label with a carriage return": ("hierarchy", b'0.5,"[0,\r1[",*\n1.5,"[1, 2[",*\n'),
}


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_file_that_once_broke_a_rule(finding):
    target, content = FINDINGS[finding]
    targets.TARGETS[target](content)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_the_rules_hold_of_good_files(target):
    good = {
        "data": targets.ARX / "raw" / "toy40b.csv",
        "release": targets.ARX / "outputs" / "toy40b.ex38.k3.csv",
        "study": targets.ARX / "studies" / "toy40b.paper.toml",
        "hierarchy": targets.ARX / "hierarchies" / "toy40b_Q1.csv",
    }
    targets.TARGETS[target](good[target].read_bytes())


def test_a_rule_that_is_broken_is_reported(monkeypatch):
    honest = targets.read_table
    monkeypatch.setattr(targets, "read_table", lambda content, name: honest(content, name).iloc[1:])
    with pytest.raises(targets.BrokenRuleError, match="written and read again it differs"):
        targets.data(b"a,b\n1,2\n3,4\n")
