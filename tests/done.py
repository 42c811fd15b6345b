"""The command line as the tests run it: in this process or in one of its own, and what it leaves behind."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on stdout; anything else there fails."""
        assert self.status == 0, self.err
        result = json.loads(self.out)
        assert isinstance(result, dict)
        assert result.pop("schema_version") == 1
        return result


def process(*arguments: object, cwd: Path) -> Done:
    """Run it as people do, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "cra_engine", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)
