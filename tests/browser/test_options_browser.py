"""Other ways, in a real browser: all are tried; click a mark, compare, put an option into use, file the report."""

import re
from base64 import b64decode

import pytest
from selenium.webdriver.common.action_chains import ActionChains

import drive
from drive import check, downloaded

FOLD = "Two side by side, all numbers, what it means"


@pytest.fixture
def folder(browser, tmp_path):
    """A folder that the browser puts downloads into."""
    drive.put_downloads(browser, tmp_path)
    return tmp_path


def click_mark(browser, kind, *, passes, besides):
    """Click a mark of a kind whose option is none of ``besides``, and that no other mark covers."""
    x, y = browser.execute_script(
        """
        const [kind, passes, besides] = arguments, chart = document.querySelector('.js-plotly-plot');
        chart.scrollIntoView({block: 'center'});
        const {xaxis, yaxis} = chart._fullLayout, box = chart.getBoundingClientRect();
        const marks = chart._fullData.filter(trace => trace.customdata).flatMap(trace => trace.customdata.map(
            (number, at) => ({
                kind: trace.marker.symbol.replace('-open', ''),
                passes: !trace.marker.symbol.endsWith('-open'),
                number: number[0],
                x: box.left + xaxis._offset + xaxis.l2p(trace.x[at]),
                y: box.top + yaxis._offset + yaxis.l2p(trace.y[at]),
            })
        ));
        const alone = mark => marks.filter(other => Math.hypot(other.x - mark.x, other.y - mark.y) < 12).length === 1;
        const wanted = mark => mark.kind === kind && mark.passes === passes && !besides.includes(mark.number);
        const mark = marks.find(mark => wanted(mark) && alone(mark));
        return [mark.x, mark.y];
        """,
        kind,
        passes,
        besides,
    )
    actions = ActionChains(browser)
    actions.w3c_actions.pointer_action.move_to_location(round(x), round(y)).click()
    actions.perform()
    drive.wait_until_idle(browser)


def numbers(browser):
    """The numbers of the options A and B, as the headings above their pictures name them."""
    headed = dict(re.findall(r"\b([AB]): (\d+): ", drive.text(browser)))  # the table below names them again
    return [int(headed[letter]) for letter in "AB"]


def look(browser, name):
    """Looks at a page on a desk in light and on a telephone in the dark."""
    drive.picture(browser, name)
    check(browser)
    drive.set_screen(browser, 390, 844)
    drive.set_colours(browser, "dark")
    drive.wait_until_idle(browser)
    drive.picture(browser, f"{name}-390-dark")
    check(browser)
    drive.set_screen(browser, 1440, 900)
    drive.set_colours(browser, "light")
    drive.wait_until_idle(browser)


@pytest.mark.exhaustive
def test_from_all_ways_to_a_report_on_file(browser, app_url, folder):
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, app_url)
    drive.press(browser, "Open Toy")
    drive.open_page(browser, "Other ways")
    drive.wait_for_text(browser, FOLD)
    drive.wait_until_idle(browser)
    assert "of those that pass (Ready), with k = 3" in drive.text(browser)
    look(browser, "compare")
    drive.unfold(browser, FOLD)
    drive.open_tab(browser, "All numbers")
    check(browser)
    drive.open_tab(browser, "What it means")
    drive.wait_for_text(browser, "this one attack finds little")
    check(browser)
    drive.open_tab(browser, "Two options side by side")

    # A click chooses B.
    before = numbers(browser)
    click_mark(browser, "x", passes=False, besides=before)
    after = numbers(browser)
    assert after[0] == before[0]
    assert after[1] != before[1]

    # So does the field, which the keyboard reaches.
    drive.choose(browser, "A click chooses", "A")
    click_mark(browser, "x", passes=True, besides=after)
    a, b = numbers(browser)
    assert b == after[1]
    drive.press(browser, "Use option B")
    drive.wait_for_text(browser, f"Number {b} is in use now")
    check(browser)

    drive.press(browser, "Download the report (HTML)")
    report = downloaded(folder, "*.html")
    html = report.read_text(encoding="utf-8")
    drive.press(browser, "See it on Recode")
    drive.wait_for_text(browser, "Before the first step")
    check(browser)

    # The report opens from the disk, with no server, and takes three sheets of paper at most.
    browser.get(report.as_uri())
    shown = browser.find_element("tag name", "body").text
    assert "What to publish: Toy" in shown
    assert f"{a}: " in shown
    assert f"{b}: " in shown
    assert drive.console_errors(browser) == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert "://" not in html
    paper = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    assert len(re.findall(rb"/Type\s*/Page\b", b64decode(paper["data"]))) <= 3


@pytest.mark.exhaustive
def test_the_former_address_leads_to_the_page(browser, app_url):
    drive.open_app(browser, f"{app_url}/what_if?example=toy")
    drive.wait_for_text(browser, FOLD)
    assert browser.current_url.startswith(f"{app_url}/compare?example=toy")


@pytest.mark.exhaustive
@pytest.mark.parametrize("example", ["toy", "ward"])
def test_no_label_lies_over_a_mark_a_ring_or_another_label(browser, app_url, example):
    for width, height in ((1280, 720), (390, 844)):
        drive.set_screen(browser, width, height)
        drive.open_app(browser, f"{app_url}/compare?example={example}")
        drive.wait_for_text(browser, FOLD)
        drive.wait_until_idle(browser)
        drive.picture(browser, f"compare-{example}-{width}")
        labels, over = browser.execute_script(
            """
            const boxes = name => [...document.querySelectorAll(`.js-plotly-plot ${name}`)].map(
                one => one.getBoundingClientRect()
            );
            const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            const labels = boxes('.annotation-text'), marks = boxes('.scatterlayer .points path');
            return [labels.length, labels.filter((one, at) =>
                marks.some(mark => meet(one, mark)) || labels.slice(at + 1).some(other => meet(one, other))
            ).length];
            """
        )
        assert labels >= 2
        assert over == 0
