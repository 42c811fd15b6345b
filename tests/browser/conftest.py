"""The browser tests' fixtures: the running dashboard and a headless Chromium that can reach nothing else."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

import serving
from chromium import browser, chromium

__all__ = ["app_url", "browser", "chromium", "endless_url"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="session")
def app_url(chromium: Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:  # noqa: ARG001 - first
    """The address of the dashboard, served from this checkout with a home directory of its own."""
    with serving.serve(ROOT, tmp_path_factory.mktemp("home")) as url:
        yield url


@pytest.fixture(scope="session")
def endless_url(chromium: Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:  # noqa: ARG001 - first
    """The address of a dashboard whose attack on all classes together ends only when it is stopped."""
    command = [sys.executable, str(HERE / "endless.py"), str(ROOT / "app.py")]
    with serving.running(command, ROOT, tmp_path_factory.mktemp("home")) as server:
        yield server.url
