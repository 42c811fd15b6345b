"""What the tests of the server do again and again, and tables that can be recognised wherever they turn up."""

import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STREAMLIT = [sys.executable, "-m", "streamlit", "run"]
PROGRAM = [sys.executable, "-m", "cra_dashboard.program", "--no-browser"]
TEMPORARY = "temporary"  # the folder for temporary files, in the home of the shared dashboard
UPLOAD = ("radio", "Where the table comes from", "Upload a table")


def table(canary, records=60):
    """A CSV file whose column names and texts show a canary, and whose numbers lie where only this canary's do."""
    draw = random.Random(canary)
    lines = [f"age {canary},weight {canary},note {canary}"]
    lines += [f"{draw.randrange(20, 84)},{draw.randrange(40, 104)},{canary}-{row}" for row in range(records)]
    return ("\n".join(lines) + "\n").encode()


def upload(talk, canary, records=60):
    """Open the dashboard and give it the canary's table."""
    talk.run().open("Data").choose(*UPLOAD)
    talk.upload("File with the table", f"{canary}.csv", table(canary, records))
    assert talk.has_received(f"{canary}-1")
    return talk
