"""What fuzzing the readers brought to light: each file that once broke a rule is read again, or refused in a sentence.

The rules stand in fuzz/targets.py; ``make fuzz`` looks for more such files.
"""

import io
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "fuzz"))
import seeds
import targets


def zip_of(name, content=b"k = 3\n" * 40):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr(name, content)
    return out.getvalue()


def damaged_zip():
    whole = bytearray(zip_of("plan.toml"))
    start = 30 + len("plan.toml")  # where the packed bytes begin
    whole[start : start + 4] = b"\xff\xff\xff\xff"
    return bytes(whole)


def nameless_zip():
    """An entry whose name has no letter, in the directory at the end and before its bytes."""
    whole = bytearray(zip_of("x"))
    for mark, length in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
        place = whole.index(mark)
        whole[place + length : place + length + 2] = b"\x00\x00"
        del whole[place + (30 if length == 26 else 46)]
    end = whole.index(b"PK\x05\x06")
    size, start = (int.from_bytes(whole[end + at : end + at + 4], "little") - 1 for at in (12, 16))
    whole[end + 12 : end + 20] = size.to_bytes(4, "little") + start.to_bytes(4, "little")
    return bytes(whole)


def results(suppressed):
    """Results of an experiment with a cell that is none."""
    head, row, *_ = seeds.SMALL["results"][0].decode().splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=True)) | {"suppressed": suppressed}
    return f"{head}\n{','.join(cells.values())}\n".encode()


FINDINGS = {
    "a date before all years of the calendar": ("cells", b"x\n-06\n97 85\nunder8.\n-06\n01067\n"),
    "an empty cell that was a day of 1900": ("cells", b"x\n75,9 kg\n\n81 kg\n"),
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
    "one number in two ways": ("hierarchy", b'0.,"[0, 0[",*\n0.0,"[0, 0[",*\n'),
    "half a character in a query": ("queries", b'[{"town": ["Ul\\ud800m"]}]'),
    "more brackets than JSON's reader follows": ("queries", b"[" * 100_000),
    "a whole number past every float": ("queries", b'[{"age": [1, ' + b"9" * 400 + b"]}]"),
    "no number in a query": ("queries", b'[{"age": [NaN, 3]}]'),
    "a hierarchy in a link without a number": ("address", b"attribute=w,4',120,2"),
    "a name with control characters inside": ("headers", b"host: 127.0.0\r\r.1\norigin: x"),
    "a damaged stream in a zip file": ("zipped", damaged_zip()),
    "an entry without a name in a zip file": ("zipped", nameless_zip()),
    "results without a count": ("results", results("")),
    "results with half a class": ("results", results("1.5")),
    "results with more than all classes": ("results", results("1e400")),
    "a setting with an endless name": ("study", b"k = 2\n" + b"n" * 4_000 + b" = 1\n[[attribute]]\n"),
    "a megabyte of intervals one inside the other": (
        "grown",
        bytes([list(targets.READERS).index("labels"), 1]) + b"age;town\n[#, 9999999[;*",
    ),
    "a thousand intervals of all widths one inside the other": (
        "labels",
        b"age;town\n" + b"".join(b"[%d, %d[;*\n" % (place, 9_999_999 - place * place) for place in range(1000)),
    ),
    "a column of a project whose name has several lines": (
        "arx_project",
        b"<definition><assigment><name>Q\n2</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type></assigment></definition>",
    ),
    "a label with a carriage return": ("hierarchy", b'0.5,"[0,\r1[",*\n1.5,"[1, 2[",*\n'),
}


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_file_that_once_broke_a_rule(finding):
    target, content = FINDINGS[finding]
    targets.TARGETS[target](content)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_the_rules_hold_of_good_files(target):
    if target == "grown":  # every file of it has a megabyte
        return
    good = [*seeds.SMALL.get(target, ()), *(path.read_bytes() for path in seeds.FILES.get(target, ())[:2])]
    assert good
    for content in good:
        targets.TARGETS[target](content)


def test_a_small_file_that_asks_for_large_work_is_reported(monkeypatch):
    one = bytes([list(targets.READERS).index("study"), 0]) + b"k = 2\n# a line"
    targets.grown(one)
    monkeypatch.setattr(targets, "SLOWEST", -1.0)
    with pytest.raises(targets.BrokenRuleError, match="study of 1,000,000 bytes"):
        targets.grown(one)


def test_a_rule_that_is_broken_is_reported(monkeypatch):
    honest = targets.read_table
    monkeypatch.setattr(targets, "read_table", lambda content, name: honest(content, name).iloc[1:])
    with pytest.raises(targets.BrokenRuleError, match="written and read again it differs"):
        targets.data(b"a,b\n1,2\n3,4\n")
