"""The way a person goes through the dashboard, on a desk and on a telephone, in light and dark colours."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

import drive
from shares import first

DIABETES = Path(__file__).parents[2] / "sample_data" / "diabetes.csv"


def looked_at(browser, name):
    """Check what must hold on every page, and take a picture."""
    drive.assert_no_exception(browser)
    assert drive.too_wide(browser) == 0
    assert drive.console_errors(browser) == []
    assert drive.outside_addresses(browser) == []
    drive.picture(browser, name)
    drive.wait_until_idle(browser)


@pytest.mark.parametrize(("width", "scheme"), first(1, [(390, "dark"), (1440, "light")]))
def test_from_the_start_to_singling_out_from_an_upload(browser, app_url, width, scheme):
    drive.set_screen(browser, width, 900)
    drive.set_colours(browser, scheme)
    look = f"{width}-{scheme}"
    drive.open_app(browser, app_url)
    drive.wait_for_text(browser, "what its published table says")
    looked_at(browser, f"start-{look}")

    drive.press(browser, "Open Toy")
    assert browser.current_url == f"{app_url}/recode?example=toy"
    drive.wait_for_text(browser, "Toy · 36 records · k = 3 · age, weight")
    drive.open_page(browser, "Data")
    drive.wait_for_text(browser, "Toy: 36 records, 2 columns. Others may know age and weight of a person.")
    looked_at(browser, f"data-{look}")

    drive.unfold(browser, "Another table")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", DIABETES)
    drive.wait_for_text(browser, "diabetes.csv is read: 442 records, 11 columns.")
    drive.wait_for_text(browser, "diabetes.csv · 442 records · k = 5 · age, sex, bmi")
    looked_at(browser, f"data-upload-{look}")

    drive.open_page(browser, "Hierarchies")
    drive.wait_for_text(browser, "The domain covers all 442 values of this column.")
    looked_at(browser, f"hierarchies-{look}")
    drive.fill(browser, "age: upper", "75")
    drive.wait_for_text(browser, "65 values cannot be split into 8 equal leaves")
    drive.wait_for_text(browser, "The last valid setting stays in use: domain [10, 90[")
    looked_at(browser, f"hierarchies-refused-{look}")
    drive.press(browser, "Use upper = 82")
    assert "cannot be split" not in drive.text(browser)

    # Coming back resets nothing, and nothing of the table is in the address.
    drive.open_page(browser, "Data")
    drive.open_page(browser, "Hierarchies")
    attacked_with(browser, 7, look)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("width", "scheme"), [(1440, "dark"), (390, "light")])
def test_from_an_example_and_an_upload_to_singling_out(browser, app_url, width, scheme):
    drive.set_screen(browser, width, 900)
    drive.set_colours(browser, scheme)
    drive.open_app(browser, app_url)
    drive.press(browser, "Open Toy")
    drive.open_page(browser, "Data")
    drive.unfold(browser, "Another table")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", DIABETES)
    drive.wait_for_text(browser, "diabetes.csv is read: 442 records, 11 columns.")
    for k in (5, 3, 7):
        drive.open_page(browser, "Hierarchies")
        attacked_with(browser, k, f"{width}-{scheme}")


def attacked_with(browser, k, look):
    """From the hierarchies on to singling out."""
    drive.fill(browser, "k", str(k))
    drive.wait_for_text(browser, f"diabetes.csv · 442 records · k = {k} · age, sex, bmi")
    for page in ("Recode", "Attack", "Who stands alone"):
        drive.open_page(browser, page)
        drive.wait_for_text(browser, f"k = {k}")
        looked_at(browser, f"{page.lower().replace(' ', '-')}-upload-k{k}-{look}")
    drive.wait_for_text(browser, "alone in ")
    assert "?" not in browser.current_url


def test_forgetting_an_upload(browser, app_url):
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Data")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", DIABETES)
    drive.wait_for_text(browser, "442 records")
    drive.press(browser, "Forget my data")
    drive.press(browser, "Forget it all")
    drive.wait_for_text(browser, "There is no table yet")
    # The same file can be taken again.
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", DIABETES)
    drive.wait_for_text(browser, "diabetes.csv is read")


def test_rows_of_an_upload_are_not_one_click_away_from_a_file(browser, app_url):
    """Of a table the tools above it search and widen, and save or copy nothing."""
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Data")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", DIABETES)
    drive.wait_for_text(browser, "diabetes.csv is read")
    drive.unfold(browser, "The first rows")
    tools = browser.find_elements(By.CSS_SELECTOR, '[data-testid="stElementToolbar"] button')
    labels = [tool.get_attribute("aria-label") for tool in tools]
    assert any("Search: The first rows" in label for label in labels)
    assert not [label for label in labels if "ownload" in label or "opy" in label]
