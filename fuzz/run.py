"""Fuzz one reader with atheris: ``python fuzz/run.py TARGET [libFuzzer's options]``; see ``make fuzz``.

It starts from the project's own files of that kind and mutates them, guided by the branches of cra_engine that each
mutation reaches. A finding is written to ``fuzz/findings/`` as the file that shows it.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["cra_engine"]):
    from targets import ARX, ROOT, TARGETS

SEEDS = {
    "data": [*(ROOT / "sample_data").glob("toy.csv"), *(ARX / "raw").glob("toy*.csv")],
    "release": [*(ARX / "outputs").glob("toy*.csv")],
    "study": [*(ROOT / "sample_data").glob("*.toml"), *(ARX / "studies").glob("*.toml")],
    "hierarchy": [*(ARX / "hierarchies").glob("toy*.csv")],
}
SMALL = {
    "data": [
        b"a,b\n1,2\n",
        b"sep=;\nage;town\n3,5;Ulm\n1.000,25;Bonn\n",
        '\ufeff"a b"\t"c"\r\n"1"\t"x\ny"\r\n'.encode(),
        "age|w\n1|-999\nNA|inf\n1e308|2\n".encode("utf-16"),
        "alter;größe\n3;1,5\n4;1,75\n".encode("cp1252"),
    ],
    "release": [
        b"age;town\n[0, 20[;Ulm\n[0, 20[;Ulm\n*;*\n",
        b'Q1,Q2\n"[0, 40[",*\n"[0, 40[",*\n"[0, 40[",*\n',
        b"town;age\nwest;[40, 80)\nwest;[40, 80)\n'=1;*\n",
    ],
    "study": [
        b'k = 2\nprofile = "arx-gui"\n[[attribute]]\nname = "a"\nlower = 0\nupper = 8\nlayers = 3\n',
        b'k = 3\nprofile = 0.05\n[[attribute]]\nname = "Q1"\nhierarchy = "Q1.csv"\nunit = "kg"\n',
        b'k = 2\n[[attribute]]\nname = "t"\nlower = -1.5\nupper = 4.5\nlayers = 2\nfanout = 3\nresolution = 0.5\n',
    ],
    "hierarchy": [
        b"1;[0, 2[;[0, 4[;*\n3;[2, 4[;[0, 4[;*\n",
        b"Ulm;south;*\nBonn;west;*\n",
        b'0.5,"[0, 1[",*\n1.5,"[1, 2[",*\n',
    ],
}
WORDS = {
    "data": [",", ";", "\\x09", "|", '\\"', "sep=", "NA", "-999", "1e308", "inf", "nan", "1,5", "1.000,5", "\\x0a"],
    "release": ["*", "[0, 20[", "[20, 40[", "[0, 80)", "Ulm", "west", ";", ",", '\\"', "age", "town", "Q1", "Q2"],
    "study": [
        "k = ", "profile", "arx-gui", "paper", "[[attribute]]", "[attribute]", "name", "lower", "upper", "layers",
        "fanout", "resolution", "unit", "hierarchy", "inf", "nan", "1e400", "-1e-400", "0x10", "true", "1979-05-27",
        '\\"\\"\\"', "[[", "{", "}",
    ],
    "hierarchy": ["*", "[0, 2[", "[2, 4[", "[0, 4[", ";", ",", '\\"', "1e400", "-1E-400", "inf", "[,[", "\\x0a"],
}  # fmt: skip


def main() -> None:
    """Run the target that the first argument names."""
    name = sys.argv[1]
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as folder:
        corpus, words = Path(folder) / "corpus", Path(folder) / "words.txt"
        corpus.mkdir()
        for number, content in enumerate([*SMALL[name], *(path.read_bytes()[:4000] for path in SEEDS[name])]):
            (corpus / str(number)).write_bytes(content)
        words.write_text("".join(f'"{word}"\n' for word in WORDS[name]), encoding="utf-8")
        findings = ROOT / "fuzz" / "findings"
        findings.mkdir(exist_ok=True)
        options = [f"-dict={words}", f"-artifact_prefix={findings}/{name}-", "-max_len=4096", "-timeout=30"]
        atheris.Setup([sys.argv[0], *options, *sys.argv[2:], str(corpus)], target)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
