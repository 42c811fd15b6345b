"""Work on the files of a table by processes that began elsewhere."""

from pathlib import Path

import joblib

from cra_engine.files.parts import for_each


def test_workers_that_began_in_another_folder_find_the_files(tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.csv").write_text("age\n34\n", encoding="utf-8")
        monkeypatch.chdir(tmp_path / name)
        with joblib.parallel_config("loky", n_jobs=2):  # the second time by the same processes
            assert list(for_each(Path.exists, [(Path(f"{name}.csv"),)] * 2)) == [True, True]
