"""The way a person goes through the dashboard, on a desk and on a telephone, in light and dark colours."""

from pathlib import Path

import pytest

import drive

DIABETES = Path(__file__).parents[2] / "sample_data" / "diabetes.csv"


def looked_at(browser, name):
    """Check what must hold on every page, and take a picture."""
    drive.assert_no_exception(browser)
    assert drive.too_wide(browser) == 0
    assert drive.console_errors(browser) == []
    assert drive.outside_addresses(browser) == []
    drive.picture(browser, name)
    drive.wait_until_idle(browser)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_from_the_start_to_the_hierarchies_of_an_upload(browser, app_url, width, scheme):
    drive.set_screen(browser, width, 900)
    drive.set_colours(browser, scheme)
    look = f"{width}-{scheme}"
    drive.open_app(browser, app_url)
    assert "What the published table says" in drive.text(browser)
    looked_at(browser, f"start-{look}")

    drive.press(browser, "Open Toy")
    assert browser.current_url.endswith("/recode")
    assert "Toy · 36 records · age, weight · k = 3 · profile paper" in drive.text(browser)
    drive.open_page(browser, "Data")
    assert "The first 36 of 36 rows." in drive.text(browser)
    looked_at(browser, f"data-{look}")

    drive.choose(browser, "Where the table comes from", "Upload a CSV file")
    drive.upload(browser, "CSV file", DIABETES)
    assert "diabetes.csv is read: 442 records, 11 columns." in drive.text(browser)
    assert "diabetes.csv · 442 records · age, bmi · k = 5 · profile paper" in drive.text(browser)
    looked_at(browser, f"data-upload-{look}")

    drive.open_page(browser, "Hierarchies")
    assert drive.text(browser).count("The domain covers all 442 values of this column.") == 2
    looked_at(browser, f"hierarchies-{look}")
    drive.fill(browser, "age: upper", "75")
    assert "65 values cannot be split into 8 equal leaves" in drive.text(browser)
    assert "The last valid setting stays in use: domain [10, 90)" in drive.text(browser)
    looked_at(browser, f"hierarchies-refused-{look}")
    drive.press(browser, "Use upper = 82")
    assert "cannot be split" not in drive.text(browser)

    # Coming back resets nothing, and nothing of the table is in the address.
    drive.open_page(browser, "Data")
    drive.open_page(browser, "Hierarchies")
    assert "diabetes.csv · 442 records · age, bmi" in drive.text(browser)
    assert "?" not in browser.current_url


def test_forgetting_an_upload(browser, app_url):
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Data")
    drive.choose(browser, "Where the table comes from", "Upload a CSV file")
    drive.upload(browser, "CSV file", DIABETES)
    assert "442 records" in drive.text(browser)
    drive.press(browser, "Forget my data")
    assert "There is no table yet" in drive.text(browser)
    # The same file can be taken again.
    drive.choose(browser, "Where the table comes from", "Upload a CSV file")
    drive.upload(browser, "CSV file", DIABETES)
    assert "diabetes.csv is read" in drive.text(browser)
    drive.press(browser, "Forget my data")
    for page in ("Hierarchies", "Recode", "Attack", "Single out"):
        drive.open_page(browser, page)
        assert "There is no table yet" in drive.text(browser)
