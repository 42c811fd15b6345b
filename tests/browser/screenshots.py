"""Pictures of every page, on four widths, in light and dark, to look at after a change of the looks.

    python tests/browser/screenshots.py FOLDER [PAGE ..]

Says which page sticks out of the screen sideways; exits with 1 if any does.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

import drive
import serving
from cra_dashboard.panels import menu

ROOT = Path(__file__).resolve().parents[2]
WIDTHS = (390, 768, 1440, 1920)
# A class that lost cells to others, halfway through the recoding, and one step of a lesson.
STUDY = "example=toy&step=3&class=7"


def main() -> int:
    """Take the pictures."""
    pages = list(menu.PAGES)
    parser = argparse.ArgumentParser(description="Pictures of every page.")
    parser.add_argument("folder", help="where to put them")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"any of {', '.join(pages)}; all if none is given")
    given = parser.parse_args()
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        sys.exit("Chromium is missing: apt-get install chromium chromium-driver")
    os.environ["CRA_SCREENSHOTS"] = given.folder
    wide = []
    with tempfile.TemporaryDirectory() as home, serving.serve(ROOT, Path(home)) as url:
        browser = drive.start_chromium(chromium, chromedriver, Path(home) / "chromium")
        try:
            for page in given.pages or pages:
                drive.reset(browser)
                drive.open_app(browser, f"{url}/{'' if page == 'start' else page}?{STUDY}")
                for scheme in ("light", "dark"):
                    drive.set_colours(browser, scheme)
                    for width in WIDTHS:
                        drive.set_screen(browser, width)
                        drive.wait_until_idle(browser)
                        name = f"{page}-{width}-{scheme}"
                        wide += [name] if drive.too_wide(browser) else []
                        drive.picture(browser, name)
        finally:
            browser.quit()
    for name in wide:
        sys.stderr.write(f"{name} is wider than the screen\n")
    return bool(wide)


if __name__ == "__main__":
    sys.exit(main())
