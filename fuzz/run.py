"""Fuzz one reader with atheris: ``python fuzz/run.py TARGET [libFuzzer's options]``; ``make fuzz`` does so with each.

It starts from the project's own files of that kind and mutates them, guided by the branches of the program that each
mutation reaches. A finding is written to ``fuzz/findings/`` as the file that shows it. With a folder in
``FUZZ_CORPUS`` what was learnt is kept there for the next time.
"""

import os
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["cra_engine", "cra_dashboard"]):
    from seeds import FILES, SMALL, WORDS
    from targets import ROOT, TARGETS

MOST = 12_000  # characters of a file that it starts from


def main() -> None:
    """Run the target that the first argument names."""
    name = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        corpus, words = Path(os.environ.get("FUZZ_CORPUS", folder)) / name, Path(folder) / "words.txt"
        corpus.mkdir(parents=True, exist_ok=True)
        for number, content in enumerate([*SMALL.get(name, ()), *(path.read_bytes() for path in FILES.get(name, ()))]):
            (corpus / f"seed{number}").write_bytes(content[:MOST])
        words.write_text("".join(f'"{word}"\n' for word in WORDS.get(name, ())), encoding="utf-8")
        findings = ROOT / "fuzz" / "findings"
        findings.mkdir(exist_ok=True)
        options = [f"-dict={words}"] if name in WORDS else []
        options += [f"-artifact_prefix={findings}/{name}-", "-max_len=4096", "-timeout=30"]
        atheris.Setup([sys.argv[0], *options, *sys.argv[2:], str(corpus)], TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
