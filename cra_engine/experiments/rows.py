"""The rows of an experiment: their columns, their key, and how they stand in the file."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from cra_engine.errors import DataError
from cra_engine.experiments.plan import Plan, PlannedRun
from cra_engine.files.content import content_of
from cra_engine.files.csv_text import csv_lines, restored_cell

KEY_COLUMNS = {
    "plan": "fingerprint of the plan: rows of one plan, and of no other, can stand in one file",
    "dataset": "name of the data set in the plan",
    "attributes": "the quasi-identifiers, separated by spaces",
    "layers": "their numbers of hierarchy layers, in the same order",
    "sample": "index of the sample, from 0",
    "k": "the k that the sample was published with",
    "profile": "how the publisher ran ARX: paper, arx-gui, or the share of records that a step must publish",
    "ties": "how the publisher broke exact ties: paper (by c3) or arx (as ARX's own search does)",
}


CLASS_COLUMNS = {
    "records": "records of the sample",
    "cells": "basic segments of the grid",
    "classes": "equivalence classes of the release, the suppressed records not included",
    "basic_classes": "classes on a single basic segment",
    "compound_classes": "all other classes",
    "uncountable_classes": "compound classes that no data set of distinct records explains; they enter no sum, list or "
    "mean",
    "lr_sum_compound": "LR solutions summed over the compound classes; divided by their number it is the mean of "
    "Table 2",
    "cra_sum_compound": "CRA solutions summed in the same way",
    "combinations_sum_compound": "feasible assignments summed in the same way (Table 5)",
    "log10_lr_mean": "decimal logarithm of the mean of LR solutions over all classes, basic ones included",
    "log10_cra_mean": "the same of CRA solutions",
    "ratio_mean": "mean over all classes, basic ones (ratio 1) included, of LR solutions / CRA solutions; empty past "
    "1e308",
    "log10_ratio_mean": "its decimal logarithm",
    "ratio_mean_compound": "mean of the same ratio over the compound classes; empty without any, and past 1e308",
    "log10_ratio_mean_compound": "its decimal logarithm",
    "each_log10_lr": "decimal logarithm of LR solutions of each compound class, in the attacker's order, separated by "
    "spaces",
    "each_log10_cra": "the same of CRA solutions",
    "each_log10_ratio": "the same of the ratio",
    "each_combinations": "feasible assignments of each compound class",
}


SUPPRESSED_COLUMNS = {
    "suppressed": "suppressed records; the other columns of suppressed records are empty when there is none",
    "suppressed_free_cells": "basic segments that no class covers",
    "suppressed_lr": "LR solutions of the suppressed records (Table 3)",
    "suppressed_cra": "CRA solutions of the suppressed records",
    "suppressed_combinations": "feasible assignments of the suppressed records",
    "suppressed_log10_lr": "decimal logarithm of LR solutions of the suppressed records, for drawing",
    "suppressed_log10_cra": "the same of CRA solutions",
    "suppressed_ratio": "LR solutions / CRA solutions of the suppressed records; empty past 1e308",
    "suppressed_log10_ratio": "its decimal logarithm",
}


SINGLING_COLUMNS = {
    "singled_failed": "compound classes of which no basic segment holds exactly one record (Table 4: Failed FPSO)",
    "singled_one": "compound classes with exactly one such segment",
    "singled_many": "compound classes with more",
    "singled_invalid": "classes, and the suppressed records, whose true counts are not among the feasible assignments; "
    "0 when the attack is sound",
}


TIGHT_COLUMNS = {
    "tight_status": "attack on all classes together: exact, estimate, timeout, or refused when it could not be made",
    "tight_log10_intervals": "decimal logarithm of the data sets that the published intervals seem to allow",
    "tight_log10_per_class": "the same of those that the attacks class by class leave",
    "tight_log10_worlds": "the same of those that the attack on all classes together leaves; empty when unknown",
    "tight_log10_worlds_stderr": "its standard error, 0 where exact",
    "tight_fixed_cells": "basic segments whose number of records is certain",
    "tight_isolated": "basic segments that hold exactly one record for certain, known from the release alone",
}


TIMING_COLUMNS = {
    "recode_seconds": "seconds that publishing the sample took",
    "attack_seconds": "seconds that the attack class by class took, suppressed records included",
    "singling_seconds": "seconds that singling out took",
    "tight_seconds": "seconds that the attack on all classes together took",
}


def columns(plan: Plan) -> list[str]:
    """Return the columns of the results of an experiment's plan, in order."""
    parts = [KEY_COLUMNS, CLASS_COLUMNS, SUPPRESSED_COLUMNS]
    parts += [SINGLING_COLUMNS] if plan.singling_out else []
    parts += [TIGHT_COLUMNS] if plan.tight_time_limit is not None else []
    return [name for part in parts for name in part]


def key_of(plan: Plan, run: PlannedRun) -> dict[str, str]:
    """Return the columns by which a row of an experiment's results is known."""
    chosen = plan.configurations[run.configuration]
    return {
        "plan": plan.fingerprint,
        "dataset": chosen.dataset,
        "attributes": " ".join(chosen.study.names),
        "layers": " ".join(str(attribute.layers) for attribute in chosen.study.attributes),
        "sample": str(run.sample),
        "k": str(run.k),
        "profile": str(chosen.study.profile),
        "ties": plan.ties,
    }


def header(plan: Plan) -> bytes:
    """Return the first line of the results of an experiment's plan."""
    return csv_line(columns(plan))


def csv_line(fields: Sequence[str]) -> bytes:
    """Write a line of an experiment's results, as a file holds it."""
    return csv_lines([fields]).encode()


def complete_rows(content: bytes, names: Sequence[str], plan: Plan, source: str) -> list[bytes]:
    """Return the complete lines of an experiment's run that was stopped, without an incomplete last line.

    Args:
        content: of the file.
        names: its columns.
        plan: that the rows must be of, in its order.
        source: what messages call the file.

    Raises:
        DataError: it holds something else.
    """
    first = csv_line(names)
    lines = content.splitlines(keepends=True) if b"\r" not in content else [content]
    if lines and lines[-1][-1:] != b"\n" and lines[0] != content:
        lines.pop()  # the run was stopped in the middle of it
    if first.startswith(content) and content != first:
        return []
    wrong = DataError(f"{source} holds something else than results of this plan; name another file.")
    if lines[0] != first:
        raise wrong
    runs = plan.runs
    for line in lines[1:]:
        run = next(runs, None)
        try:
            fields = next(csv.reader([line.decode()], strict=True))
        except (csv.Error, UnicodeDecodeError):
            raise wrong from None
        known = [restored_cell(field) for field in fields[: len(KEY_COLUMNS)]]
        if run is None or len(fields) != len(names) or known != [*key_of(plan, run).values()]:
            raise wrong
    return lines[1:]


class _Table:
    """A CSV file to which whole rows are added, in the plan's order.

    Attributes:
        path: the file.
        rows: complete rows that it holds.
    """

    def __init__(self, path: Path, names: Sequence[str], plan: Plan) -> None:
        """Read what is there; nothing is written before the file is entered."""
        self.path = path
        self.names = names
        content = content_of(path, str(path)) if path.exists() else b""
        self._rows = complete_rows(content, names, plan, str(path))
        self._begun = content.startswith(csv_line(names))

    @property
    def rows(self) -> int:
        return len(self._rows)

    def keep(self, rows: int) -> None:
        """Forget what stands after so many rows."""
        self._rows = self._rows[:rows]

    def __enter__(self) -> Self:
        """Open for adding; what was incomplete is cut off."""
        try:
            # Not "a": the end may have to move back first.
            self._file = self.path.open("r+b" if self.path.exists() else "xb", buffering=0)
            first = csv_line(self.names)
            end = len(first) + sum(map(len, self._rows)) if self._begun else 0
            self._file.truncate(end)
            self._file.seek(end)
            if not self._begun:
                self._put(first)
        except OSError as error:
            raise self._refused(error) from None
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self._file.close()

    def write(self, row: dict[str, str]) -> None:
        """Add one row, at once."""
        self._put(csv_line([row[name] for name in self.names]))

    def _put(self, line: bytes) -> None:
        try:
            while line:  # an unbuffered file may take a part only
                line = line[self._file.write(line) :]
        except OSError as error:
            raise self._refused(error) from None

    def _refused(self, error: OSError) -> DataError:
        return DataError(f"{self.path} cannot be written: {error.strerror}.")
