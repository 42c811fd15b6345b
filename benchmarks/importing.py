"""How long `from cra_engine import attack, recode` takes, as a multiple of `import pandas`, which it needs: seconds.

    python benchmarks/importing.py

Processor time of a process of its own, the least of several, so that neither other programs nor a cold disk counts.
"""

import subprocess
import sys

TIMES = 9
PANDAS, ENGINE = "import pandas", "from cra_engine import attack, recode"


def seconds(statement: str) -> float:
    """Processor time of a statement and the start of Python."""
    code = f"{statement}\nimport time\nprint(time.process_time())"
    runs = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(TIMES)
    )
    return min(float(run.stdout) for run in runs)


def main() -> None:
    """Print both and their ratio."""
    pandas, engine = seconds(PANDAS), seconds(ENGINE)
    print(f"{PANDAS}: {pandas:.2f} s; {ENGINE}: {engine:.2f} s, {engine / pandas:.2f} times as long")


if __name__ == "__main__":
    main()
