"""Microaggregate, in a real browser: patients and Iris without a table, a mark clicked, negative values."""

import re

import pytest
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By

import drive
from drive import check
from shares import first


def merge(browser):
    label = "Merge until no cell is sensitive"
    drive._click(browser, lambda: drive._shown(browser, "label", label), f"toggle '{label}'")
    drive.wait_until_idle(browser)


def click_mean_of_another_cluster(browser, ringed):
    """Click the mean of some other cluster that lies apart from all others; its number."""
    x, y, number = browser.execute_script(
        """
        const chart = document.querySelector('.js-plotly-plot');
        chart.scrollIntoView({block: 'center'});
        const {xaxis, yaxis} = chart._fullLayout, box = chart.getBoundingClientRect();
        const marks = chart._fullData.filter(trace => trace.customdata).flatMap(trace => trace.customdata.map(
            (number, at) => ({
                mean: Boolean(trace.name) && trace.showlegend !== false,
                number: number[0],
                x: box.left + xaxis._offset + xaxis.l2p(trace.x[at]),
                y: box.top + yaxis._offset + yaxis.l2p(trace.y[at]),
            })));
        const apart = (one) => Math.min(...marks.filter(other => other !== one && other.number !== one.number)
            .map(other => Math.hypot(other.x - one.x, other.y - one.y)));
        const best = marks.filter(mark => mark.mean && mark.number !== arguments[0])
            .sort((one, other) => apart(other) - apart(one))[0];
        return [best.x, best.y, best.number];
        """,
        ringed,
    )
    # Where the pointer is from an earlier walk nobody knows: places on the page, not steps from there.
    actions = ActionBuilder(browser)
    actions.pointer_action.move_to_location(round(x), round(y)).click()
    actions.perform()
    drive.wait_until_idle(browser)
    return number


@pytest.mark.parametrize(("width", "scheme"), first(1, [(390, "dark"), (1440, "light")]))
def test_iris_from_the_first_look_to_no_sensitive_cell(browser, app_url, width, scheme):
    drive.set_screen(browser, width, 900)
    drive.set_colours(browser, scheme)
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Microaggregate")
    drive.wait_for_text(browser, "442 patients")
    drive.choose(browser, "Table", "Iris, the paper's example")
    drive.wait_for_text(browser, "9 are sensitive by dominance (the 2 largest above 60 %) and 0 by the p% rule (60 %)")
    drive.wait_for_text(browser, "it concludes that row 99 has from 1 to 1.8")
    check(browser)
    drive.picture(browser, f"microaggregate-{width}-{scheme}")
    if width > 1000:
        number = click_mean_of_another_cluster(browser, 24)
        field = drive._widget(browser, "stSelectbox", "Cluster").find_element(By.CSS_SELECTOR, "input")
        chosen = field.get_attribute("value")
        assert re.search(rf"\b{number}: [4-7] records", chosen)
    drive.open_tab(browser, "What k buys")
    drive.wait_for_text(browser, "The paper prints this as its Table 2")
    drive.picture(browser, f"microaggregate-k-{width}-{scheme}")
    merge(browser)
    drive.wait_for_text(browser, "0 are sensitive by dominance (the 2 largest above 60 %) and 0 by the p% rule (60 %)")
    drive.wait_for_text(browser, "Merged from 37 to")
    check(browser)


@pytest.mark.exhaustive
def test_an_upload_with_negative_values_is_never_called_safe(browser, app_url, tmp_path):
    table = tmp_path / "balances.csv"
    table.write_text("balance;age\n-5;31\n3;30\n4;33\n1;60\n2;61\n2;62\n", encoding="utf-8")
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Data")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", table)
    drive.wait_for_text(browser, "balances.csv is read")
    drive.open_page(browser, "Microaggregate")
    drive.wait_for_text(browser, "with negative numbers the rules are undefined: they are not safe")
    check(browser)
    merge(browser)
    drive.wait_for_text(browser, "-5 is negative")
    assert "?" not in browser.current_url
