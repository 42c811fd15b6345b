"""Gives files that are written their names: all of them, or none. Run as a program of its own, it needs nothing else.

Given a folder, that program removes it instead, once whoever started it has ended.

Between the first name and the last the program that wrote the files may be killed. A program that this one started, in
a session of its own, is not killed with it.
"""

import json
import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

Step = tuple[int | None, str, str, str, str]
"""Of a file: its handle, None where it has its hidden name already; its folder; hidden, backup and final name in it."""


def finish(steps: list[Step]) -> tuple[int, int] | None:
    """Give every written file its final name, or none of them.

    Returns:
        None where it went well; else the place of the file that could not be named, and the system's error number.
    """
    backups: dict[Path, Path] = {}
    named: list[Path] = []
    under_way = 0
    try:
        for under_way, (handle, folder, hidden, backup, name) in enumerate(steps):  # noqa: B007 - told of below
            if handle is not None:
                _link(handle, folder, hidden)
            if len(steps) > 1:
                with suppress(OSError):  # not there yet, or a disk without links
                    os.link(Path(folder, name), Path(folder, backup), follow_symlinks=False)
                    backups[Path(folder, name)] = Path(folder, backup)
        for under_way, (_, folder, hidden, _, name) in enumerate(steps):  # noqa: B007
            Path(folder, hidden).replace(Path(folder, name))
            named.append(Path(folder, name))
    except OSError as error:
        for path in named:
            with suppress(OSError):
                if path in backups:
                    backups[path].replace(path)
                else:
                    path.unlink()
        for _, folder, hidden, _, _ in steps:
            with suppress(OSError):
                Path(folder, hidden).unlink()
        return under_way, error.errno or 0
    finally:
        for backup_path in backups.values():
            with suppress(OSError):
                backup_path.unlink()
    return None


def _link(handle: int, folder: str, name: str) -> None:
    """Give a file without a name this one; only with a folder does Python follow the link from /proc to the file."""
    place = os.open(folder, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{handle}", name, dst_dir_fd=place)
    finally:
        os.close(place)


def remove(folder: str) -> None:
    """Remove a folder of files; workers that are still alive may put files into it for a moment."""
    for _ in range(100):
        shutil.rmtree(folder, ignore_errors=True)
        if not Path(folder).exists():
            return
        time.sleep(0.1)


if __name__ == "__main__" and len(sys.argv) > 1:
    sys.stdin.read()
    remove(sys.argv[1])
elif __name__ == "__main__":
    # Half of a list is no JSON: whoever was killed while it was handed over has named nothing.
    sys.stdout.write(json.dumps(finish(json.loads(sys.stdin.read()))))
